import type { Column } from './cassandra/column';
import type { Write } from './cassandra/database';
import type { Columns, NewRowOf, RowOf, Table } from './cassandra/table';

/** As of when a row is written: of two writes of a row the later counts, in whatever order they come. */
export interface Timing {
  /** Microseconds. */
  readonly at: number;
  /** Seconds after which the row is gone; for ever when it is not given. */
  readonly ttl?: number | undefined;
}

/** A write of a whole row. A null is left unset, so that it makes no tombstone. */
export function writeOf<C extends Columns, P extends keyof C & string, K extends keyof C & string>(
  table: Table<C, P, K>,
  row: NewRowOf<C>,
  timing?: Timing,
): Write {
  const given: Readonly<Record<string, unknown>> = row;
  const values = Object.keys(table.columns).map((property) => given[property] ?? undefined);
  const partition = partitionOf(table, given);
  if (timing === undefined) return { query: table.put, params: values, partition };
  return { query: table.putAt, params: [...values, String(timing.at), timing.ttl ?? 0], partition };
}

/**
 * Makes writes of rows that have most values in common: what is common becomes bytes once, rather than for each of them,
 * where the type of its column tells how.
 */
export function writesOf<
  C extends Columns,
  P extends keyof C & string,
  K extends keyof C & string,
  const Own extends P,
>(
  table: Table<C, P, K>,
  common: Omit<NewRowOf<C>, Own>,
): (own: Pick<RowOf<C>, Own>, timing: Timing) => Write {
  const given: Readonly<Record<string, unknown>> = common;
  const encode = (property: string, value: unknown) => {
    const column: Column<unknown> | undefined = table.columns[property];
    return value == null ? undefined : (column?.bytes?.(value) ?? value);
  };
  const properties = Object.keys(table.columns);
  const values = properties.map((property) => encode(property, given[property]));
  return (own, { at, ttl = 0 }) => {
    const params = [...values, timestampBytes(at), ttl];
    for (const property in own) params[properties.indexOf(property)] = encode(property, own[property]);
    const key = table.partition.map((property) =>
      String(property in own ? own[property as Own] : given[property]),
    );
    return { query: table.putAt, params, partition: key.join(' ') };
  };
}

function timestampBytes(microseconds: number): Buffer {
  const buffer = Buffer.allocUnsafe(8);
  buffer.writeBigInt64BE(BigInt(microseconds));
  return buffer;
}

/** How much text a write holds, in characters or bytes: what makes batches large. */
export function textIn({ params }: Write): number {
  let text = 0;
  for (const value of params) if (typeof value === 'string' || Buffer.isBuffer(value)) text += value.length;
  return text;
}

/** The removal of a row; `at` is in microseconds. */
export function removalOf<C extends Columns, P extends keyof C & string, K extends keyof C & string>(
  table: Table<C, P, K>,
  key: Pick<RowOf<C>, P | K>,
  at?: number,
): Write {
  const values = [...table.partition, ...table.clustering].map((property) => key[property]);
  const partition = partitionOf(table, key);
  if (at === undefined) return { query: table.remove, params: values, partition };
  return { query: table.removeAt, params: [String(at), ...values], partition };
}

/** The removal of a partition with all its rows. */
export function clearanceOf<C extends Columns, P extends keyof C & string, K extends keyof C & string>(
  table: Table<C, P, K>,
  key: Pick<RowOf<C>, P>,
): Write {
  return {
    query: table.clear,
    params: table.partition.map((property) => key[property]),
    partition: partitionOf(table, key),
  };
}

function partitionOf(
  table: { readonly partition: readonly string[] },
  key: Readonly<Record<string, unknown>>,
): string {
  return table.partition.map((property) => String(key[property])).join(' ');
}
