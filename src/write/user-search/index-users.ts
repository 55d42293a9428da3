import { writtenAt } from '../../kit/cassandra/column';
import type { Database, Write } from '../../kit/cassandra/database';
import { pageStatement, withinStatement } from '../../kit/cassandra/statement';
import type { Row, RowOf } from '../../kit/cassandra/table';
import { removalOf, writeOf } from '../../kit/cassandra/write';
import { runShared } from '../../kit/base/shared-runs';
import { createLoad, readMany } from '../../kit/reads/load';
import { createBulkWriter } from '../../kit/writes/bulk';
import { putAll } from '../../kit/writes/row-writer';
import {
  KEPT_USERS,
  MAX_USERS,
  userSearchEntries,
  usersByPrefix,
} from '../../features/user-search/user-search.table';
import {
  floorsOf,
  isBeyond,
  prefixRowsOf,
  prefixWrite,
  wantedEntries,
  type NameEntry,
  type PrefixRow,
} from './entries';

/** The number of written rows for one of which the prefix is checked for too many users. */
const ROWS_PER_LOOK = 100;

type EntryRow = Row<typeof userSearchEntries>;
const datedColumns = { ...userSearchEntries.columns, storedAt: writtenAt('username') };
type DatedEntry = RowOf<typeof datedColumns>;
const entriesOf = withinStatement<{ readonly userId: string }, DatedEntry>(
  { ...userSearchEntries, columns: datedColumns },
  [],
);

/**
 * Makes the rows by which users are found equal to their names and numbers of followers. It may run again, and several may run at
 * once: it reads the users again at the end. What it writes is dated by the moment before it read them, but later than what it replaces, also
 * if that was written by a server whose clock is ahead.
 */
export async function indexUsers(database: Database, userIds: readonly string[]): Promise<void> {
  let left = userIds;
  while (left.length > 0) {
    const at = Date.now() * 1000;
    // Before the users are read: what is stored meanwhile is newer than what they say, and must not be replaced.
    const stored = await readMany(
      database,
      entriesOf,
      left.map((userId) => ({ userId })),
    );
    const wanted = await wantedEntries(database, left);
    await storeEntries(database, stored, wanted, at);
    const now = await wantedEntries(database, left);
    left = left.filter((_, index) => !isSame(wanted[index] ?? null, now[index] ?? null));
  }
}

/** The same for one user. Calls at the same time share their work. */
export function indexUser(database: Database, userId: string): Promise<void> {
  return runShared(database, `user search ${userId}`, null, () => indexUsers(database, [userId]));
}

function isSame(a: NameEntry | null, b: NameEntry | null): boolean {
  return a?.name === b?.name && a?.rank === b?.rank && a?.username === b?.username;
}

async function storeEntries(
  database: Database,
  stored: readonly (readonly DatedEntry[])[],
  wanted: readonly (NameEntry | null)[],
  readAt: number,
): Promise<void> {
  const write = (writes: readonly Write[]) => putAll(createBulkWriter(database)(), writes);
  const changed = wanted.flatMap((entry, index) => {
    const before = stored[index] ?? [];
    const isDone = before.every((row) => row.whole === true && isSame(row, entry));
    return isDone && before.length === (entry === null ? 0 : 1) ? [] : [{ entry, before }];
  });
  if (changed.length === 0) return;
  const replaced = changed.flatMap(({ before }) => before.map(({ storedAt }) => Number(storedAt) + 1));
  const at = Math.max(readAt, ...replaced);
  // A server that goes on after a crash must know all rows that there may be.
  const entries = changed.flatMap(({ entry }) => entry ?? []);
  await write(entries.map((entry) => writeOf(userSearchEntries, entry, { at })));
  const rows = entries.flatMap(prefixRowsOf);
  const left = changed.flatMap(leftRowsOf);
  const floors = await floorsOf(
    database,
    [...rows, ...left].map(({ prefix }) => prefix),
  );
  const isKept = (row: PrefixRow) => !isBeyond(row, floors.get(row.prefix));
  const kept = rows.filter(isKept);
  // A row beyond the floor was never stored, or one tombstone has removed it with others.
  const removals = left.filter(isKept).map((row) => removalOf(usersByPrefix, row, at));
  await write([...kept.map((row) => prefixWrite(row, at)), ...removals]);
  await write([
    ...entries.map((entry) => writeOf(userSearchEntries, { ...entry, whole: true }, { at })),
    ...changed.flatMap(({ entry, before }) =>
      before.filter((row) => !isSame(row, entry)).map((row) => removalOf(userSearchEntries, row, at)),
    ),
  ]);
  for (const { prefix } of kept)
    if (!prefix.startsWith('=') && Math.random() * ROWS_PER_LOOK < 1)
      // The caller need not wait for the trim: if it fails, a later write of the prefix tries again.
      await trim(database, prefix).catch(() => undefined);
}

/** The rows of earlier entries that the present one does not have. */
function leftRowsOf({
  entry,
  before,
}: {
  readonly entry: NameEntry | null;
  readonly before: readonly EntryRow[];
}): PrefixRow[] {
  const keyOf = ({ prefix, rank, sortName }: { prefix: string; rank: number; sortName: string }) =>
    `${rank} ${prefix}\n${sortName}`;
  const kept = new Set(entry === null ? [] : prefixRowsOf(entry).map(keyOf));
  return before
    .filter((row) => !isSame(row, entry))
    .flatMap(prefixRowsOf)
    .filter((row) => !kept.has(keyOf(row)));
}

const readKeys = pageStatement<{ prefix: string; limit: number }, Row<typeof usersByPrefix>>(usersByPrefix, [
  'rank',
  'sortName',
  'userId',
  'floorId',
]);
const putFloor = 'UPDATE users_by_prefix SET floor_rank = ?, floor_name = ?, floor_id = ? WHERE prefix = ?';
const removeBeyond =
  'DELETE FROM users_by_prefix WHERE prefix = ? AND (rank, sort_name, user_id) > (?, ?, ?)';

/**
 * Removes the users beyond the best 1,000 of a prefix if there are many of them, by one tombstone, and takes no more that come after
 * those. If half of them have left, it takes all again.
 */
export async function trim(database: Database, prefix: string): Promise<void> {
  const rows = await createLoad(database)(readKeys, { prefix, limit: MAX_USERS + 1 });
  const last = rows[KEPT_USERS - 1];
  if (rows.length > MAX_USERS && last) {
    const key = [last.rank, last.sortName, last.userId];
    await database.write(putFloor, [...key, prefix]);
    await database.write(removeBeyond, [prefix, ...key]);
  } else if (rows.length < KEPT_USERS / 2 && rows[0]?.floorId != null) {
    await database.write(putFloor, [null, null, null, prefix]);
  }
}
