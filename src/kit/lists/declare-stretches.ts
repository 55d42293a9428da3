import { decideUntilWritten } from '../cassandra/decide';
import type { Database } from '../cassandra/database';
import { shardOwners } from '../cassandra/list-shards';
import type { AnyListTable, Row, StoredRow, Unassigned } from '../cassandra/table';
import { writeOf } from '../cassandra/write';
import { readMany } from '../reads/load';
import { decodePosition, encodePosition, listBuckets, stretchesIn, type Stretch } from './list-buckets';

const readStretches =
  'SELECT since, bucket, others, effective_at AS "effectiveAt", buckets FROM list_buckets WHERE owner = ? AND list = ?';
const join = 'DELETE FROM list_buckets WHERE owner = ? AND list = ? AND since = ?';
const count = 'UPDATE list_buckets SET buckets = ? WHERE owner = ? AND list = ? IF buckets = ?';

/** A list of an owner. */
export type ListOfOwner = Pick<Unassigned, 'table' | 'owner'>;

/** The stretches to declare, and the beginnings of those that become a part of them. */
export interface Declared {
  readonly stretches: readonly Stretch[];
  readonly joined?: readonly string[];
}

/**
 * Declares stretches of a list by a lightweight transaction, after the list is recorded as split. `decide` must return stretches with at
 * least one new bucket, so that of two servers that declare stretches at once, one decides again.
 */
export async function declareStretches(
  database: Database,
  { table, owner }: ListOfOwner,
  decide: (list: { stretches: readonly Stretch[]; next: number }) => Promise<Declared>,
): Promise<void> {
  const key = { owner, list: table.name };
  await decideUntilWritten(database, { cql: readStretches, params: [owner, table.name] }, async (rows) => {
    const read = rows as readonly Row<typeof listBuckets>[];
    const before = read[0]?.buckets ?? null;
    const next = before ?? 1;
    const { stretches: declared, joined = [] } = await decide({ stretches: stretchesIn(read), next });
    if (declared.length === 0) return { writes: [], result: undefined };
    await Promise.all(shardOwners(table, owner).map((one) => database.write(table.recordSplit, [one])));
    const stretches = declared.map(({ since, bucket, others, effectiveAt }) =>
      writeOf(listBuckets, { ...key, since, bucket, others, effectiveAt }),
    );
    const buckets = Math.max(...declared.map(({ bucket }) => bucket + 1));
    const counted = { query: count, params: [buckets, owner, table.name, before] };
    const removals = joined.map((since) => ({ query: join, params: [owner, table.name, since] }));
    return { writes: [counted, ...removals, ...stretches], result: undefined };
  });
}

/** The key of a row in its list. */
export function keyOfRow(table: AnyListTable, row: StoredRow): string {
  return encodePosition(table.clustering.map((property) => row[property] as string | Date));
}

/** The key of the row of a bucket, in any shard, that is next to a key: the newest one that is older, or the oldest one that is newer. */
export async function keyBeside(
  database: Database,
  { table, owner }: ListOfOwner,
  bucket: number,
  key: string,
  side: 'older' | 'newer',
): Promise<string | undefined> {
  const after = key === '' ? undefined : decodePosition(key);
  const shards = await readMany(
    database,
    table.page,
    shardOwners(table, owner).map((one) => ({
      ...{ [table.owner]: one, bucket, after },
      ...{ reversed: side === 'newer', limit: 1 },
    })),
  );
  const keys = shards.flatMap(([row]) => (row ? [keyOfRow(table, row)] : [])).sort();
  return side === 'newer' ? keys[0] : keys.at(-1);
}

/** Whether a bucket has no rows from one key on and before another. */
export async function isEmptyBetween(
  database: Database,
  list: ListOfOwner,
  bucket: number,
  since: string,
  until: string,
): Promise<boolean> {
  const newest = await keyBeside(database, list, bucket, until, 'older');
  return newest === undefined || newest < since;
}
