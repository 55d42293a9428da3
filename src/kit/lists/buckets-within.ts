import type { Load } from '../reads/load';
import { DEFAULT_BOUNDS } from './list-parts';
import { buckets } from './buckets';

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
