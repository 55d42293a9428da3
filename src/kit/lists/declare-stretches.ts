import { decideUntilWritten } from '../cassandra/decide';
import type { Database } from '../cassandra/database';
import type { AnyListTable, Row } from '../cassandra/table';
import { stretchesIn, type listBuckets, type Stretch } from './list-buckets';

/** A list, and what is known of it when stretches are declared. */
interface Known {
  readonly stretches: readonly Stretch[];
  /** The number of the list's next bucket. */
  readonly next: number;
}

const readStretches =
  'SELECT since, bucket, others, declared_at AS "declaredAt", buckets FROM list_buckets WHERE owner = ? AND list = ?';
const count = 'UPDATE list_buckets SET buckets = ? WHERE owner = ? AND list = ? IF buckets = ?';
const put =
  'UPDATE list_buckets SET bucket = ?, others = ?, declared_at = ? WHERE owner = ? AND list = ? AND since = ?';

/**
 * Declares stretches of a list by a lightweight transaction, after the list is recorded as split. `decide` returns none if there is
 * nothing to do. Resolves to what was declared.
 */
export function declareStretches(
  database: Database,
  { table, owner }: { readonly table: AnyListTable; readonly owner: string },
  decide: (list: Known) => Promise<readonly Stretch[]> | readonly Stretch[],
): Promise<readonly Stretch[]> {
  const key = [owner, table.name];
  return decideUntilWritten(database, { cql: readStretches, params: key }, async (rows) => {
    const read = rows as readonly Row<typeof listBuckets>[];
    const before = read[0]?.buckets ?? null;
    const next = before ?? 1;
    const declared = await decide({ stretches: stretchesIn(read), next });
    if (declared.length === 0) return { writes: [], result: declared };
    await database.write(table.recordSplit, [owner]);
    const stretches = declared.map(({ since, bucket, others, declaredAt }) => ({
      query: put,
      params: [bucket, others.length === 0 ? null : others, declaredAt, ...key, since],
    }));
    const added = declared.filter(({ bucket }) => bucket >= next).length;
    const counted = { query: count, params: [next + added, ...key, before] };
    return { writes: [counted, ...stretches], result: declared };
  });
}
