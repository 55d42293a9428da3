import type { PageKey, Statement } from '../cassandra/statement';
import type { Load } from '../reads/load';
import type { Period } from '../base/period';
import { bucketsWithin } from './buckets-within';
import { EVERYBODY } from './buckets';
import { partsByBucket, sourceOf, type List } from './list-parts';
import { adjacentValue, type PositionValue } from './cursor';

/** A table in order of time, newest first, whose partition key is a bucket and possibly an owner. */
interface PeriodTable<R, O extends string> {
  readonly name: string;
  readonly page: Statement<PageKey<Record<O, string> & { bucket: number }, O | 'bucket'>, readonly R[]>;
}

/** How such a table is split into buckets and ordered. */
export interface Chronology<R> {
  bucketOf(this: void, moment: Date): number;
  /** The clustering key of a row. */
  keyOf(this: void, row: R): PositionValue;
  /** The smallest clustering key that a row of a moment can have. */
  firstKeyAt(this: void, moment: Date): PositionValue;
  timeOf(this: void, row: R): Date;
}

/** Creates the list of the rows of a period, newest first. `kind` distinguishes several lists of one table. */
export function periodList<R, O extends string = never>(
  load: Load,
  table: PeriodTable<R, O>,
  owner: Record<O, string>,
  { bucketOf, keyOf, firstKeyAt, timeOf }: Chronology<R>,
  { from, to }: Period,
  kind?: string,
): List<R> {
  const bounds = [bucketOf(from), bucketOf(to)] as const;
  const position = (row: R) => [keyOf(row)];
  const [ownerId = EVERYBODY] = Object.values<string>(owner);
  return {
    name: [table.name, ownerId, ...(kind === undefined ? [] : [kind]), Number(from), Number(to)].join(' '),
    parts: partsByBucket(
      (bucket, backwards) =>
        bucketsWithin(load, { list: table.name, owner: ownerId }, bounds, bucket, backwards),
      (bucket) => [
        sourceOf(async (slice) => {
          const start = slice.reversed ? adjacentValue(firstKeyAt(from), -1) : firstKeyAt(to);
          const key = { ...owner, bucket, ...slice, after: slice.after ?? [start] };
          return (await load(table.page, key)).filter((row) => timeOf(row) >= from && timeOf(row) < to);
        }, position),
      ],
    ),
    position,
  };
}
