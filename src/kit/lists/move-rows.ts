import { MAX_ID, MIN_ID } from '../base/ids';
import type { Database } from '../cassandra/database';
import { toSnakeCase } from '../cassandra/statement';
import type { AnyListTable } from '../cassandra/table';
import { decodePosition } from './list-buckets';

/**
 * How much later than this server's clock the removal of moved rows is, in milliseconds: later than permanent removals, which are an hour
 * ahead, so that a read passes none of their tombstones.
 */
const CLEARED_AHEAD_MS = 2 * 3_600_000;
/** How many rows are written at once. */
const ROWS_AT_ONCE = 20;

/** A part of a list: its keys from `since` on, which may be empty, and before `until`, if that is not empty. */
interface Range {
  readonly since: string;
  readonly until: string;
}

/** Some rows of a partition, as they are stored. */
interface StoredRows {
  readonly values: readonly (readonly unknown[])[];
}

interface Texts {
  readonly columns: readonly string[];
  readonly read: string;
  readonly put: string;
  readonly clear: string;
}

const texts = new WeakMap<AnyListTable, Texts>();

/** What moves the rows of a table. */
function textsOf(table: AnyListTable): Texts {
  let found = texts.get(table);
  if (found === undefined) texts.set(table, (found = buildTexts(table)));
  return found;
}

function buildTexts({ name, owner, clustering, columns }: AnyListTable): Texts {
  const own = Object.keys(columns).filter((property) => property !== 'bucket');
  const names = own.map(toSnakeCase);
  const key = `(${clustering.map(toSnakeCase).join(', ')})`;
  const bounds = `(${clustering.map(() => '?').join(', ')})`;
  const range = `WHERE ${toSnakeCase(owner)} = ? AND bucket = ? AND ${key} >= ${bounds} AND ${key} < ${bounds}`;
  // All cells of a row have one time to live.
  const timed = own.find((property) => {
    const { isOptional, isStatic } = columns[property] ?? {};
    return property !== owner && !clustering.includes(property) && !isOptional && !isStatic;
  });
  const ttl = timed === undefined ? '' : `, TTL(${toSnakeCase(timed)}) AS ttl`;
  return {
    columns: names,
    read: `SELECT ${names.join(', ')}${ttl} FROM ${name} ${range} LIMIT ?`,
    // A removal of the row, and whatever else is written of it, is later than the copy.
    put: `INSERT INTO ${name} (bucket, ${names.join(', ')}) VALUES (?, ${names.map(() => '?').join(', ')}) USING TIMESTAMP 1 AND TTL ?`,
    clear: `DELETE FROM ${name} USING TIMESTAMP ? ${range}`,
  };
}

/** The values of a range for its CQL: the first key, and that after the last. */
function boundsOf({ clustering, columns }: AnyListTable, { since, until }: Range): readonly unknown[] {
  const isTime = (property: string) => columns[property]?.cql === 'timestamp';
  const least = clustering.map((property) => (isTime(property) ? new Date(-8.64e15) : MIN_ID));
  const greatest = clustering.map((property) => (isTime(property) ? new Date(8.64e15) : MAX_ID));
  return [
    ...(since === '' ? least : decodePosition(since)),
    ...(until === '' ? greatest : decodePosition(until)),
  ];
}

/** Reads at most so many rows of a range of a partition as they are stored. */
export async function readStored(
  database: Database,
  table: AnyListTable,
  owner: string,
  bucket: number,
  range: Range,
  limit: number,
): Promise<StoredRows> {
  const { columns, read } = textsOf(table);
  const rows = await database.read(read, [owner, bucket, ...boundsOf(table, range), limit]);
  const valueOf = (row: object, name: string) => (Reflect.get(row, name) as unknown) ?? undefined;
  return {
    values: rows.map((row) => [...columns.map((name) => valueOf(row, name)), valueOf(row, 'ttl') ?? 0]),
  };
}

/** Stores rows in another partition of their list. */
export async function storeMoved(
  database: Database,
  table: AnyListTable,
  bucket: number,
  { values }: StoredRows,
): Promise<void> {
  const query = textsOf(table).put;
  for (let n = 0; n < values.length; n += ROWS_AT_ONCE)
    await Promise.all(
      values.slice(n, n + ROWS_AT_ONCE).map((row) => database.write(query, [bucket, ...row])),
    );
}

/** Removes all rows of a range of a partition, and the tombstones there, by one tombstone. No row may come there any more. */
export async function clearRange(
  database: Database,
  table: AnyListTable,
  owner: string,
  bucket: number,
  range: Range,
): Promise<void> {
  const at = String((Date.now() + CLEARED_AHEAD_MS) * 1000);
  await database.write(textsOf(table).clear, [at, owner, bucket, ...boundsOf(table, range)]);
}
