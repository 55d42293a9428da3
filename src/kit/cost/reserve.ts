import { sumOf, type Cost } from './cost';
import type { FieldCost, QueryCost } from './query-cost';

/** Whose bound grows: that of a field, for a table. If the field bounds several tables together, the bound of all of them grows. */
export interface BoundedReads {
  readonly field: string;
  readonly table: string;
}

/**
 * Adds to the bound of a request what a list turns out to need beyond the bound of its field, such as a partition of each of many
 * authors. That may be read when it resolves: when there is room for it among the caller's requests. Rejects with `QUERY_TOO_LARGE` or
 * `RATE_LIMITED` if the request may not cost as much.
 */
export type Reserve = (of: BoundedReads, more: Cost) => Promise<void>;

/** The cost of a query that has read more bytes than its lists show, because they are split, or rows are hidden. */
export function withBytesRead(cost: QueryCost, read: number): QueryCost {
  const reservedBytes = (cost.reservedBytes ?? 0) + read - cost.bytes;
  return { ...cost, bytes: read, reservedBytes };
}

/** The cost of a query after a field has reserved more. */
export function withReserved(cost: QueryCost, { field, table }: BoundedReads, more: Cost): QueryCost {
  const grown = ({ tables, reserved, ...rest }: FieldCost): FieldCost => ({
    ...rest,
    ...sumOf([rest, more]),
    tables: tables.map((one) =>
      one.table === table || one.otherTables?.includes(table) ? { ...one, ...sumOf([one, more]) } : one,
    ),
    reserved: sumOf([reserved ?? [], more].flat()),
  });
  return {
    ...cost,
    ...sumOf([cost, more]),
    fields() {
      const fields = cost.fields();
      const index = fields.findIndex((one) => one.field === field);
      return fields.map((one, n) => (n === index ? grown(one) : one));
    },
  };
}
