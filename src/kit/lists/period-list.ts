import type { PageKey, Statement } from '../cassandra/statement';
import type { Load } from '../reads/load';
import type { Period } from '../base/period';
import { EVERYBODY, buckets } from './buckets';
import { partsByBucket, sourceOf, type List, DEFAULT_BOUNDS } from './list-parts';
import { adjacentValue, type PositionValue } from './cursor';

/** A table in order of time, newest first, whose partition key is a bucket and possibly an owner. */
interface PeriodTable<R, O extends string> {
  readonly name: string;
  readonly page: Statement<PageKey<Record<O, string> & { bucket: number }, O | 'bucket'>, readonly R[]>;
}

/** The order of such a table, and its split into buckets. */
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

/**
 * Reads a list's buckets from `oldest` to `newest`, both included, and from `from` on in the direction of reading: one more than a
 * page reads. Returns them newest first. The owner and name of the list are the partition key of `buckets`, so this is one read.
 */
export async function bucketsWithin(
  load: Load,
  list: { list: string; owner: string },
  [oldest, newest]: readonly [oldest: number, newest: number],
  from: number | null,
  backwards: boolean,
): Promise<number[]> {
  const start = backwards ? Math.max(oldest, from ?? oldest) : Math.min(newest, from ?? newest);
  const after = [backwards ? start - 1 : start + 1];
  const slice = { after, reversed: backwards, limit: DEFAULT_BOUNDS.buckets + 1 };
  const found = await load(buckets.page, { ...list, ...slice });
  return found
    .map(({ bucket }) => bucket)
    .filter((bucket) => bucket >= oldest && bucket <= newest)
    .sort((a, b) => b - a);
}
