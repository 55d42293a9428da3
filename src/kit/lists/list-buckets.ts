import type { Load } from '../data/load';
import { DEFAULT_BOUNDS } from '../relay/list';
import { buckets } from '../data/buckets';

/**
 * Reads a list's buckets from `from` on in the direction of reading, one more than a page reads, and returns them newest
 * first. The owner and name of the list are the partition key of `buckets`, so this is one read.
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

/** Does the same for the buckets from `oldest` to `newest`, both included. */
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
