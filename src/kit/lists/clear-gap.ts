import type { Database, Write } from '../cassandra/database';
import { toSnakeCase } from '../cassandra/statement';
import type { AnyTable, StoredRow } from '../cassandra/table';

/**
 * How much earlier than this server's clock a gap is cleared, in milliseconds: a row that was written until then is seen by a read of now,
 * and one that is written later has a later timestamp, so it stays.
 */
const CLEARED_AGE_MS = 5 * 60_000;

interface Texts {
  readonly newer: string;
  readonly older: string;
  /** Clears what is between two rows, after or before one, or everywhere. */
  clear(this: void, hasOlder: boolean, hasNewer: boolean): string;
}

const texts = new WeakMap<AnyTable, Texts>();

function textsOf(table: AnyTable): Texts {
  let found = texts.get(table);
  if (found === undefined) texts.set(table, (found = buildTexts(table)));
  return found;
}

function buildTexts({ name, partition, clustering }: AnyTable): Texts {
  const columns = clustering.map(toSnakeCase);
  const key = `(${columns.join(', ')})`;
  const bound = `(${columns.map(() => '?').join(', ')})`;
  const where = `WHERE ${partition.map((property) => `${toSnakeCase(property)} = ?`).join(' AND ')}`;
  const ascending = columns.map((column) => `${column} ASC`).join(', ');
  const select = `SELECT ${columns.join(', ')} FROM ${name} ${where}`;
  const clear = (hasOlder: boolean, hasNewer: boolean) =>
    [
      `DELETE FROM ${name} USING TIMESTAMP ? ${where}`,
      ...(hasOlder ? [`${key} > ${bound}`] : []),
      ...(hasNewer ? [`${key} < ${bound}`] : []),
    ].join(' AND ');
  return {
    newer: `${select} AND ${key} > ${bound} ORDER BY ${ascending} LIMIT 1`,
    older: `${select} AND ${key} < ${bound} LIMIT 1`,
    clear,
  };
}

/**
 * Lets one tombstone take the place of those between the two rows around a removed one. The table must say that its rows have the
 * timestamps of their writes: a row that comes late then is not hidden.
 */
export async function clearGap(
  database: Database,
  table: AnyTable,
  removed: StoredRow,
  ageMs = CLEARED_AGE_MS,
): Promise<void> {
  // One replica may lack a row that others have, which would be cleared then.
  if (database.readsOneReplica && database.nodes() > 1) return;
  const at = (Date.now() - ageMs) * 1000;
  const { newer, older, clear } = textsOf(table);
  const owner = table.partition.map((property) => removed[property]);
  const position = table.clustering.map((property) => removed[property]);
  const keyOf = (rows: readonly object[]) =>
    rows
      .slice(0, 1)
      .flatMap((row) => table.clustering.map((name) => Reflect.get(row, toSnakeCase(name)) as unknown));
  const rowsNear = (cql: string) => database.read(cql, [...owner, ...position]);
  const after = keyOf(await rowsNear(newer));
  const before = keyOf(await rowsNear(older));
  const query = clear(before.length > 0, after.length > 0);
  await database.write(query, [String(at), ...owner, ...before, ...after]);
}

/** One of so many removals, chosen by chance, has its gap cleared: so a gap with few removals costs nothing. */
const REMOVALS_PER_CLEARING = 250;
/** Removals of tweets are stamped an hour ahead, and gaps are cleared as of five minutes ago: only then are the tombstones older. */
const CLEARED_AFTER_MS = 3_600_000 + CLEARED_AGE_MS + 60_000;
/** How many clearings wait at most. */
const MAX_WAITING = 10_000;

/** Creates the function that is told of each row that was removed from a table with `writtenNow`, and clears some gaps later. */
export function createGapClearing(
  database: Database,
  { perClearing = REMOVALS_PER_CLEARING, afterMs = CLEARED_AFTER_MS, ageMs = CLEARED_AGE_MS } = {},
): (removed: NonNullable<Write['removed']>) => void {
  let waiting = 0;
  return ({ table, key }) => {
    if (waiting >= MAX_WAITING || Math.random() * perClearing >= 1) return;
    waiting++;
    setTimeout(() => {
      waiting--;
      // If this fails the tombstones stay, and another removal may clear them.
      clearGap(database, table, key, ageMs).catch(() => undefined);
    }, afterMs).unref();
  };
}
