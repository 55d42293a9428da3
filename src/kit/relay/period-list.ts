import type { PageKey, Statement } from '../cassandra/statement';
import type { Load } from '../load';
import type { Period } from '../period';
import { bucketsWithin } from './buckets';
import type { List } from './connection';
import { beside, type PositionValue } from './cursor';

/** A table of which a partition is a month or a day of everything; it stands in the order of time. */
interface PeriodTable<R> {
  readonly name: string;
  readonly page: Statement<PageKey<{ bucket: number }, 'bucket'>, readonly R[]>;
}

/** How such a table is cut and ordered. */
export interface Chronology<R> {
  /** Whose buckets are in `buckets`. */
  readonly owner: string;
  bucketOf(this: void, moment: Date): number;
  /** The clustering key of a row, and the first that a row of a moment can have. */
  keyOf(this: void, row: R): PositionValue;
  firstKeyAt(this: void, moment: Date): PositionValue;
  timeOf(this: void, row: R): Date;
}

/** The rows of a period, newest first; `name` tells lists of one table apart. */
export function periodList<R>(
  load: Load,
  table: PeriodTable<R>,
  { owner, bucketOf, keyOf, firstKeyAt, timeOf }: Chronology<R>,
  { from, to }: Period,
  name = table.name,
): List<R> {
  const bounds = [bucketOf(from), bucketOf(to)] as const;
  return {
    name: [name, Number(from), Number(to)].join(' '),
    buckets: (bucket, backwards) =>
      bucketsWithin(load, { list: table.name, owner }, bounds, bucket, backwards),
    sources: (bucket) => [
      {
        async read(slice) {
          const start = slice.reversed ? beside(firstKeyAt(from), -1) : firstKeyAt(to);
          const rows = await load(table.page, { bucket, ...slice, after: slice.after ?? [start] });
          return rows.filter((row) => timeOf(row) >= from && timeOf(row) < to);
        },
      },
    ],
    position: (row) => [keyOf(row)],
  };
}
