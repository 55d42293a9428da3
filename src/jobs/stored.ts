import { writtenAt, type Column } from '../kit/cassandra/column';
import type { Database, Write } from '../kit/cassandra/database';
import { getStatement, toSnakeCase, type Statement } from '../kit/cassandra/statement';
import type { AnyTable, StoredRow } from '../kit/cassandra/table';
import { readMany } from '../kit/reads/load';

/** How many rows are read at a time; each one is a separate read. */
const READ_AT_ONCE = 500;

/** Whether what was read of a whole table is a row. A partition with static values but no rows is read, too. */
export function isRow({ clustering: [first] }: AnyTable, read: StoredRow): boolean {
  return first === undefined || read[first] !== null;
}

/** The row that a write stores. */
export function rowIn(table: AnyTable, { params }: Write): StoredRow {
  const row: Record<string, unknown> = {};
  Object.entries(table.columns).forEach(([property, column], index) => {
    row[property] = valueIn(column, params[index]);
  });
  return row;
}

/** Decodes a value of a write, which may be serialized already. */
function valueIn({ cql }: Column<unknown>, value: unknown): unknown {
  if (!Buffer.isBuffer(value)) return value ?? null;
  if (cql === 'bigint') return String(value.readBigInt64BE());
  if (cql === 'timestamp') return new Date(Number(value.readBigInt64BE()));
  return cql === 'int' ? value.readInt32BE() : value.toString();
}

/** The primary key of a row as one string. */
export function keyIn({ partition, clustering }: AnyTable, row: StoredRow): string {
  return [...partition, ...clustering].map((property) => plain(row[property])).join(' ');
}

/** The primary key of a row, for people to read. */
export function nameRow({ partition, clustering }: AnyTable, row: StoredRow): string {
  return [...partition, ...clustering]
    .map((property) => {
      const value = row[property];
      return `${property} ${value instanceof Date ? value.toISOString() : String(value)}`;
    })
    .join(', ');
}

/** Whether two rows are equal in all columns except the ignored ones, and the flag of a split list. */
export function isSame(
  { columns }: AnyTable,
  one: StoredRow,
  other: StoredRow,
  ignored: readonly string[] = [],
): boolean {
  return Object.keys(columns).every(
    (property) =>
      property === 'isSplit' || ignored.includes(property) || plain(one[property]) === plain(other[property]),
  );
}

/** A value as a string that can be compared. Absent values equal false, 0 and the empty list. */
function plain(value: unknown): string {
  if (value === null || value === undefined || value === false || value === 0) return '';
  if (value instanceof Date) return String(value.getTime());
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.length === 0 ? '' : JSON.stringify(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const parts = Object.entries(value).filter(([, part]) => part != null);
  return JSON.stringify(parts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Reads rows as they are stored, by the keys of `rows` and in their order; null for a row that is not stored. */
export async function readStored(
  database: Database,
  table: AnyTable,
  rows: readonly StoredRow[],
): Promise<(StoredRow | null)[]> {
  const found: (StoredRow | null)[] = [];
  for (let n = 0; n < rows.length; n += READ_AT_ONCE)
    found.push(...(await readMany(database, table.get, rows.slice(n, n + READ_AT_ONCE))));
  return found;
}

/**
 * The write that replaces the stored row `found` by `row`: columns that `row` does not have are set to null. `timing`
 * has the write time in microseconds and the time to live in seconds; null means now and no expiry.
 */
export function overwriteWith(
  table: AnyTable,
  row: StoredRow,
  found: StoredRow | null,
  timing: { readonly at: number; readonly ttl: number } | null,
): Pick<Write, 'query' | 'params'> {
  // A static column belongs to the other rows of the partition, too.
  const values = Object.entries(table.columns).map(
    ([property, { isStatic }]) => row[property] ?? (isStatic || found?.[property] == null ? undefined : null),
  );
  if (timing === null) return { query: table.put, params: values };
  return { query: table.putAt, params: [...values, String(timing.at), timing.ttl] };
}

/** The write time of a write in microseconds, and its time to live in seconds; null if the write gives neither. */
export function readTiming(table: AnyTable, { query, params }: Write): { at: number; ttl: number } | null {
  if (query !== table.putAt) return null;
  const [at, ttl] = params.slice(-2);
  return { at: Number(Buffer.isBuffer(at) ? at.readBigInt64BE() : at), ttl: Number(ttl) };
}

/**
 * Removes rows that were read at `seenAt`, in microseconds; what is written to them later stays. If the columns of a row
 * have an earlier write time, the row is removed as of that time.
 */
export async function removeStored(
  database: Database,
  table: AnyTable,
  rows: readonly StoredRow[],
  seenAt: number,
): Promise<void> {
  const keys = [...table.partition, ...table.clustering];
  const times = await readWriteTimes(database, table, rows);
  for (const [index, row] of rows.entries()) {
    const at = Math.min(seenAt, times[index] || seenAt);
    await database.write(table.removeAt, [String(at), ...keys.map((property) => row[property])]);
  }
}

/** Reads the latest write time of the columns of rows, in microseconds; 0 if there is none. */
export async function readWriteTimes(
  database: Database,
  table: AnyTable,
  rows: readonly StoredRow[],
): Promise<number[]> {
  const keys = [...table.partition, ...table.clustering];
  const rest = Object.keys(table.columns).filter((property) => !keys.includes(property));
  const times = rest.length === 0 ? [] : await readMany(database, writtenStatement(table, rest), rows);
  return rows.map((_, index) =>
    Math.max(...rest.map((property) => Number(times[index]?.[property] ?? 0)), 0),
  );
}

/** Reads the write times of the columns of a row, in microseconds. */
function writtenStatement(table: AnyTable, rest: readonly string[]): Statement<StoredRow, StoredRow | null> {
  const columns: Record<string, Column<unknown>> = { ...table.columns };
  for (const property of rest) columns[property] = writtenAt(toSnakeCase(property));
  return getStatement({ ...table, columns, order: 'desc' });
}
