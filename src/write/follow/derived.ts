import { followersByUser, followingByUser, pulledByUser, relations } from '../../follow/follow.table';
import { pairOf, relationOf } from '../../follow/relation';
import type { AnyTable } from '../../kit/cassandra/table';
import { readMany } from '../../kit/data/load';
import { textOf, type DerivationSource, type DerivedTable } from '../derived-table';
import { setMergedFlag, modeOf, pullingOf } from '../timeline/fan-out-mode';
import { followRowsOf } from './follow-rows';

/**
 * The relations of two users. The source key is `<low id> <high id>`. With a third word, `always`, the rows also include the
 * `pulled_by_user` rows that may exist while the fan-out mode of a followee changes.
 */
const relationSource: DerivationSource = {
  table: relations,
  keyOf: (key) => textOf(key, 'pair'),
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
        const relation = relationOf(row, follower, followee);
        if (!relation.follows) continue;
        const mode = await modeOf({ database }, followee);
        const isPulled = mode.mode === 'pull' || (always !== undefined && mode.mode !== 'push');
        yield [
          ...followRowsOf(follower, followee, relation),
          ...(isPulled ? [pullingOf(follower, followee, relation, mode)] : []),
        ];
      }
    }
  },
};

function followList(table: AnyTable, other: string): DerivedTable {
  return {
    table,
    sources: [relationSource],
    sourceKeyOf: (row) => `${pairOf(textOf(row, 'userId'), textOf(row, other))} always`,
  };
}

/** The lists of follows, and the rows of followed accounts whose tweets are pulled. */
export const followTables: readonly DerivedTable[] = [
  followList(followersByUser, 'followerId'),
  followList(followingByUser, 'followeeId'),
  {
    ...followList(pulledByUser, 'authorId'),
    ignoredColumns: ['sinceVersion'],
    async prepare({ database }, rows) {
      await Promise.all(
        [...new Set(rows.map((row) => textOf(row, 'userId')))].map((userId) =>
          setMergedFlag(database, userId),
        ),
      );
    },
  },
];
