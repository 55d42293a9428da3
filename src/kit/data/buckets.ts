import { id, int, text } from '../cassandra/column';
import { table } from '../cassandra/table';
import type { Load } from './load';

/** Which buckets of a list hold rows, newest first: months, of some lists days or years, or marks of shares (see `ShardRouter`). */
export const buckets = table(
  'buckets',
  { owner: id, list: text, bucket: int },
  {
    partition: ['owner', 'list'],
    clustering: ['bucket'],
  },
);

/** A month, or another bucket, in which a list has rows. */
export interface ListBucket {
  readonly list: string;
  readonly owner: string;
  readonly bucket: number;
}

/** The owner of a list that is of everybody. */
export const EVERYBODY = '0';

/** The month bucket of a moment: months since January of the year 0, UTC. */
export function monthOf(moment: Date): number {
  return moment.getUTCFullYear() * 12 + moment.getUTCMonth();
}

/** The day bucket of a moment: days since 1970, UTC. */
export function dayOf(moment: Date): number {
  return Math.floor(Number(moment) / 86_400_000);
}

/** The year bucket of a moment, UTC. */
export function yearOf(moment: Date): number {
  return moment.getUTCFullYear();
}

/** More buckets than any list has: of twenty years there are 7,300 days, and as many parts of months. */
export const ALL_BUCKETS = 100_000;

/** The months in which any of these lists hold rows, newest first: all of them, for work behind mutations. */
export async function bucketsOf(
  load: Load,
  lists: readonly { list: string; owner: string }[],
): Promise<number[]> {
  const known = await Promise.all(
    lists.map(({ list, owner }) => load(buckets.page, { owner, list, limit: ALL_BUCKETS })),
  );
  if (known.length === 1) return known[0]?.map(({ bucket }) => bucket) ?? [];
  return [...new Set(known.flat().map(({ bucket }) => bucket))].sort((a, b) => b - a);
}
