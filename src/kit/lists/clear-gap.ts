import type { Database } from '../cassandra/database';
import { toSnakeCase } from '../cassandra/statement';
import type { AnyTable, StoredRow } from '../cassandra/table';

/**
 * How much earlier than this server's clock a gap is cleared, in milliseconds: a row that was written until then is seen by a read of now,
 * and one that is written later has a later timestamp, so it stays.
 */
export const CLEARED_AGE_MS = 5 * 60_000;

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
 * Lets one tombstone take the place of those between the two rows around a removed one, as far as they are older than `ageMs`. The table
 * must say that its rows have the timestamps of their writes: a row that comes late then is not hidden.
 */
export async function clearGap(
  database: Database,
  table: AnyTable,
  removed: StoredRow,
  ageMs: number,
): Promise<void> {
  const at = (Date.now() - ageMs) * 1000;
  const { newer, older, clear } = textsOf(table);
  const owner = table.partition.map((property) => removed[property]);
  const position = table.clustering.map((property) => removed[property]);
  const keyOf = (rows: readonly object[]) =>
    rows
      .slice(0, 1)
      .flatMap((row) => table.clustering.map((name) => Reflect.get(row, toSnakeCase(name)) as unknown));
  const [after, before] = await Promise.all(
    [newer, older].map(async (cql) => keyOf(await database.read(cql, [...owner, ...position]))),
  );
  if (after === undefined || before === undefined) return;
  const query = clear(before.length > 0, after.length > 0);
  await database.write(query, [String(at), ...owner, ...before, ...after]);
}
