import { FREE, sumOf, type Cost } from './cost';
import type { BoundedReads, FieldCost, QueryCost, Reserved } from './query-cost';

/**
 * Adds reads to the bound of a request, for a list that turns out to need more than the bound of its field, such as a partition of each of
 * many authors. The reads may begin when it resolves: when there is room for them among the caller's requests. Rejects with
 * `QUERY_TOO_LARGE` or `RATE_LIMITED` if the request may not cost as much.
 */
export type Reserve = (of: BoundedReads, more: Cost) => Promise<void>;

/** The cost of a query that has read more bytes than its lists show, because they are split, or rows are hidden. */
export function withBytesRead(cost: QueryCost, read: number): QueryCost {
  const reservedBytes = (cost.reservedBytes ?? 0) + read - cost.bytes;
  return { ...cost, bytes: read, reservedBytes };
}

/**
 * The cost of a query after a field has reserved more. A request may reserve thousands of times, so what it has reserved is one sum for
 * each field and table: listing the fields takes no step for each time.
 */
export function withReserved(cost: QueryCost, of: BoundedReads, more: Cost): QueryCost {
  const { sums, fields } = cost.reserved ?? { sums: NOTHING, fields: cost.fields };
  const key = `${of.field} ${of.table}`;
  const sum = { of, more: sumOf([sums.get(key)?.more ?? FREE, more]) };
  const reserved: Reserved = { sums: new Map(sums).set(key, sum), fields };
  return { ...cost, ...sumOf([cost, more]), reserved, fields: () => listReserved(reserved) };
}

const NOTHING: Reserved['sums'] = new Map();

/** The fields of a query, the first of each name with what that has reserved. */
function listReserved({ sums, fields }: Reserved): readonly FieldCost[] {
  const listed = [...fields()];
  for (const { of, more } of sums.values()) {
    const index = listed.findIndex(({ field }) => field === of.field);
    const own = listed[index];
    if (own) listed[index] = grown(own, of, more);
  }
  return listed;
}

function grown({ tables, reserved, ...rest }: FieldCost, { table }: BoundedReads, more: Cost): FieldCost {
  return {
    ...rest,
    ...sumOf([rest, more]),
    tables: tables.map((one) =>
      one.table === table || one.otherTables?.includes(table) ? { ...one, ...sumOf([one, more]) } : one,
    ),
    reserved: sumOf([reserved ?? FREE, more]),
  };
}
