import { relations } from '../../features/follow/follow.table';
import { joinPair } from '../../features/follow/relation';
import { blockIn } from '../../features/follow/block';
import { HIDDEN, hiddenByUser } from '../../features/hidden/hidden.table';
import { readMany } from '../../kit/reads/load';
import { joinProperties, type DerivationSource, type DerivedTable } from '../derived-table';
import { blockersRow, hasManyBlockers, ownRow } from './hidden-rows';

/** The blocks between users. The source key is the key of the row of the two. */
const blockSource: DerivationSource = {
  table: relations,
  keyOf: (key) => joinProperties(key, 'pair'),
  async *writesOf({ database }, pairs) {
    const rows = await readMany(
      database,
      relations.get,
      pairs.map((pair) => ({ pair })),
    );
    for (const [index, row] of rows.entries()) {
      const [low = '', high = ''] = pairs[index]?.split(' ') ?? [];
      for (const block of [blockIn(row, low, high), blockIn(row, high, low)]) {
        if (block === null) continue;
        if (block.blocks) yield [ownRow(block)];
        if (!(await hasManyBlockers(database, block.blocked))) yield [blockersRow(block)];
      }
    }
  },
};

/** The rows that hide something from users, as far as they follow from blocks. */
export const hiddenTable: DerivedTable = {
  table: hiddenByUser,
  sources: [blockSource],
  sourceKeyOf: (row) => joinPair(joinProperties(row, 'viewerId'), joinProperties(row, 'targetId')),
  // Only rows of blocks are derived. Rows of blockers may be left over for a user whom very many block.
  async isTransient({ database }, { kind, viewerId }) {
    if (kind === HIDDEN.blocker) return hasManyBlockers(database, String(viewerId));
    return kind !== HIDDEN.block;
  },
};
