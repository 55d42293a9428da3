import { pulledByUser, relations } from '../../features/follow/follow.table';
import { joinPair, relationBetween } from '../../features/follow/relation';
import { readMany } from '../../kit/reads/load';
import { joinProperties, type DerivationSource, type DerivedTable } from '../derived-table';
import { setMergedFlag, readMode, pullingOf } from '../timeline/fan-out-mode';

/**
 * The relations of two users, from which the rows of pulled authors are derived. The source key is `<low id> <high id>`. With a third word,
 * `always`, it also gives the rows that may exist while the fan-out mode of a followee changes.
 */
const relationSource: DerivationSource = {
  table: relations,
  keyOf: (key) => joinProperties(key, 'pair'),
  async *writesOf({ database }, sourceKeys) {
    const named = sourceKeys.map((one) => one.split(' '));
    const keys = named.map(([low = '', high = '']) => ({ pair: `${low} ${high}` }));
    const rows = await readMany(database, relations.get, keys);
    for (const [index, row] of rows.entries()) {
      const [low = '', high = '', always] = named[index] ?? [];
      for (const [follower, followee] of [
        [low, high],
        [high, low],
      ] as const) {
        const relation = relationBetween(row, follower, followee);
        if (!relation.follows) continue;
        const mode = await readMode({ database }, followee);
        const isPulled = mode.mode === 'pull' || (always !== undefined && mode.mode !== 'push');
        if (isPulled) yield [pullingOf(follower, followee, relation, mode)];
      }
    }
  },
};

/** The rows of followed accounts whose tweets are pulled. */
export const pulledTable: DerivedTable = {
  table: pulledByUser,
  sources: [relationSource],
  sourceKeyOf: (row) => `${joinPair(joinProperties(row, 'userId'), joinProperties(row, 'authorId'))} always`,
  ignoredColumns: ['sinceVersion'],
  async prepare({ database }, rows) {
    await Promise.all(
      [...new Set(rows.map((row) => joinProperties(row, 'userId')))].map((userId) =>
        setMergedFlag(database, userId),
      ),
    );
  },
};
