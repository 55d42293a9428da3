import { magnitudeOf, MAX_MAGNITUDE } from '../../kit/base/magnitude';
import type { Database, Write } from '../../kit/cassandra/database';
import { pageStatement, sliceStatement } from '../../kit/cassandra/statement';
import type { Row } from '../../kit/cassandra/table';
import { writeOf } from '../../kit/cassandra/write';
import { readMany } from '../../kit/reads/load';
import { compareIds } from '../../kit/base/ids';
import { compareTexts } from '../../features/user-search/rank-found';
import { prefixesOf, sortNameOf, startsOf } from '../../features/user-search/starts';
import { usersByPrefix } from '../../features/user-search/user-search.table';
import { followerCount, userCounts, users } from '../../features/user/user.table';

/** The names and the rank by which a user is found. */
export interface NameEntry {
  readonly userId: string;
  readonly username: string;
  readonly name: string;
  readonly rank: number;
}

/** A row of `users_by_prefix`. */
export type PrefixRow = Pick<
  Row<typeof usersByPrefix>,
  'prefix' | 'rank' | 'sortName' | 'userId' | 'name' | 'starts' | 'username'
>;

/** The key of the last row of a prefix that is kept. */
type Floor = Pick<PrefixRow, 'rank' | 'sortName' | 'userId'>;

/** The entries that users should have, in their order; null for those who do not exist, or are known by a number only. */
export async function wantedEntries(
  database: Database,
  userIds: readonly string[],
): Promise<(NameEntry | null)[]> {
  const keys = userIds.map((userId) => ({ userId }));
  const [found, counts] = await Promise.all([
    readMany(database, users.get, keys),
    readMany(database, userCounts.get, keys),
  ]);
  return found.map((user, index) => {
    if (user === null || user.username === user.userId) return null;
    const { userId, username, name } = user;
    return {
      userId,
      username,
      name,
      rank: MAX_MAGNITUDE - magnitudeOf(followerCount(counts[index] ?? null)),
    };
  });
}

/** The rows that an entry has: one of each prefix, and one of the whole username. */
export function prefixRowsOf(entry: NameEntry): PrefixRow[] {
  const starts = startsOf(entry);
  const row = { ...entry, starts: starts.join('\n'), sortName: sortNameOf(entry) };
  const prefixes = [...prefixesOf(starts), `=${entry.username.toLowerCase()}`];
  return prefixes.map((prefix) => ({ ...row, prefix }));
}

/** The write of a row; `at` is its write time in microseconds. */
export function prefixWrite(row: PrefixRow, at?: number): Write {
  return writeOf(usersByPrefix, row, at === undefined ? undefined : { at });
}

const readFloor = sliceStatement(
  pageStatement<{ prefix: string; limit: number }, Row<typeof usersByPrefix>>(usersByPrefix, [
    'rank',
    'floorRank',
    'floorName',
    'floorId',
  ]),
  usersByPrefix,
);

/** The floors of prefixes, by prefix; those that have none are left out. */
export async function floorsOf(
  database: Database,
  prefixes: readonly string[],
): Promise<ReadonlyMap<string, Floor>> {
  // A whole username is that of one user.
  const bounded = [...new Set(prefixes)].filter((prefix) => !prefix.startsWith('='));
  const slices = await readMany(
    database,
    readFloor,
    bounded.map((prefix) => ({ prefix, limit: 1 })),
  );
  return new Map(
    slices.flatMap(({ statics }, index): [string, Floor][] => {
      const { floorRank, floorName, floorId } = statics ?? {};
      if (floorRank == null || floorName == null || floorId == null) return [];
      return [[bounded[index] ?? '', { rank: floorRank, sortName: floorName, userId: floorId }]];
    }),
  );
}

/** Whether a row comes after the last one that is kept. */
export function isBeyond(row: Floor, floor: Floor | undefined): boolean {
  if (floor === undefined) return false;
  const order =
    row.rank - floor.rank ||
    compareTexts(row.sortName, floor.sortName) ||
    compareIds(row.userId, floor.userId);
  return order > 0;
}
