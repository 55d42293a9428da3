import { relations } from '../../features/follow/follow.table';
import { joinPair, relationBetween } from '../../features/follow/relation';
import {
  followeesByName,
  userSearchEntries,
  usersByPrefix,
} from '../../features/user-search/user-search.table';
import { users } from '../../features/user/user.table';
import type { Database } from '../../kit/cassandra/database';
import { writeOf } from '../../kit/cassandra/write';
import { readMany } from '../../kit/reads/load';
import { joinProperties, type DerivationSource, type DerivedTable } from '../derived-table';
import { floorsOf, isBeyond, prefixRowsOf, prefixWrite, wantedEntries, type PrefixRow } from './entries';
import { followeeWrites } from './followees';

/** Reads the entries that users should have. */
async function entriesOf(database: Database, userIds: readonly string[]) {
  return (await wantedEntries(database, userIds)).flatMap((entry) => entry ?? []);
}

/** The rows of prefixes that are not beyond the best. The source key is the user id. */
const prefixSource: DerivationSource = {
  table: users,
  keyOf: (key) => joinProperties(key, 'userId'),
  async *writesOf({ database }, userIds) {
    const rows = (await entriesOf(database, userIds)).flatMap(prefixRowsOf);
    const prefixes = rows.map(({ prefix }) => prefix);
    const floors = await floorsOf(database, prefixes);
    yield rows.filter((row) => !isBeyond(row, floors.get(row.prefix))).map((row) => prefixWrite(row));
  },
};

/** The names and ranks of users. The source key is the user id. */
const entrySource: DerivationSource = {
  table: users,
  keyOf: (key) => joinProperties(key, 'userId'),
  async *writesOf({ database }, userIds) {
    const entries = await entriesOf(database, userIds);
    yield entries.map((entry) => writeOf(userSearchEntries, { ...entry, whole: true }));
  },
};

/** The names of followees. The source key is that of a pair of users. */
const followeeSource: DerivationSource = {
  table: relations,
  keyOf: (key) => joinProperties(key, 'pair'),
  async *writesOf({ database }, pairs) {
    const rows = await readMany(
      database,
      relations.get,
      pairs.map((pair) => ({ pair })),
    );
    const follows = rows.flatMap((row) => {
      const [low = '', high = ''] = row?.pair.split(' ') ?? [];
      return [[low, high] as const, [high, low] as const].flatMap(([follower, followee]) => {
        const relation = relationBetween(row, follower, followee);
        return relation.follows ? [{ follower, followee, relation }] : [];
      });
    });
    yield await followeeWrites(database, follows);
  },
};

/** The tables by which people are found. */
export const userSearchTables: readonly DerivedTable[] = [
  {
    table: usersByPrefix,
    sources: [prefixSource],
    sourceKeyOf: (row) => joinProperties(row, 'userId'),
    ignoredColumns: ['floorRank', 'floorName', 'floorId'],
    isFromCounts: true,
    // It goes when the prefix is trimmed the next time.
    async isTransient({ database }, row) {
      const prefix = joinProperties(row, 'prefix');
      const floor = (await floorsOf(database, [prefix])).get(prefix);
      // Every row of the table has the columns of one.
      return isBeyond(row as unknown as PrefixRow, floor);
    },
  },
  {
    table: userSearchEntries,
    sources: [entrySource],
    sourceKeyOf: (row) => joinProperties(row, 'userId'),
    isFromCounts: true,
  },
  {
    table: followeesByName,
    sources: [followeeSource],
    sourceKeyOf: (row) => joinPair(joinProperties(row, 'userId'), joinProperties(row, 'followeeId')),
  },
];
