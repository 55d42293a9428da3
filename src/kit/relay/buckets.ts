import { id, int, text } from '../cassandra/column';
import { table } from '../cassandra/table';
import type { Load } from '../load';
import { DEFAULT_BOUNDS } from './list';

/** Which buckets of a list hold rows, newest first: months, of some lists days or years, or marks of shares (see `Spread`). */
export const buckets = table(
  'buckets',
  { owner: id, list: text, bucket: int },
  {
    partition: ['owner', 'list'],
    clustering: ['bucket'],
  },
);

/** A month, or another bucket, in which a list has rows. */
export interface ListMonth {
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

/**
 * A list's buckets in the direction of reading, from one on, newest first: as many as a page reads, and one more. The owner and
 * name of the list are the partition, so this is one read.
 */
export async function bucketsFrom(
  load: Load,
  list: { list: string; owner: string },
  from: number | null,
  backwards: boolean,
): Promise<number[]> {
  const after = from === null ? undefined : [backwards ? from - 1 : from + 1];
  const slice = { after, reversed: backwards, limit: DEFAULT_BOUNDS.buckets + 1 };
  const known = await load(buckets.page, { ...list, ...slice });
  return known.map(({ bucket }) => bucket).sort((a, b) => b - a);
}

/** The same of those from `oldest` to `newest`. */
export async function bucketsWithin(
  load: Load,
  list: { list: string; owner: string },
  [oldest, newest]: readonly [oldest: number, newest: number],
  from: number | null,
  backwards: boolean,
): Promise<number[]> {
  const start = backwards ? Math.max(oldest, from ?? oldest) : Math.min(newest, from ?? newest);
  const known = await bucketsFrom(load, list, start, backwards);
  return known.filter((bucket) => bucket >= oldest && bucket <= newest);
}

/** The months in which any of these lists hold rows, newest first: all of them, for work behind mutations. */
export async function monthsOf(
  load: Load,
  lists: readonly { list: string; owner: string }[],
): Promise<number[]> {
  const known = await Promise.all(
    lists.map(({ list, owner }) => load(buckets.page, { owner, list, limit: ALL_BUCKETS })),
  );
  if (known.length === 1) return known[0]?.map(({ bucket }) => bucket) ?? [];
  return [...new Set(known.flat().map(({ bucket }) => bucket))].sort((a, b) => b - a);
}
