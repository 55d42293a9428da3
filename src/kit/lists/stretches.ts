import { listBuckets, stretchesIn, INITIAL_STRETCH, type Stretch } from './list-buckets';
import type { Load } from '../reads/load';
import { SPLIT_BOUNDS } from './list-parts';

/** A stretch of a list, and where the next newer one begins; empty for the newest. */
export interface BoundedStretch extends Stretch {
  readonly until: string;
}

interface ListName {
  readonly owner: string;
  readonly list: string;
}

/** One more than a page reads, so that a page which is cut short there knows where the next one begins. */
const STRETCHES = SPLIT_BOUNDS.buckets + 1;

/** Reads the stretches of a list in the direction of reading, from that with the given key on; from the beginning without a key. */
export async function stretchesFrom(
  load: Load,
  list: ListName,
  key: string | undefined,
  backwards: boolean,
): Promise<readonly BoundedStretch[]> {
  return backwards ? olderFirst(load, list, key) : newerFirst(load, list, key);
}

async function newerFirst(load: Load, list: ListName, key: string | undefined) {
  const after = key === undefined ? undefined : [key];
  const rows = await load(listBuckets.page, { ...list, after, limit: STRETCHES });
  const stretches = rows.length < STRETCHES ? stretchesIn(rows) : stretchesIn(rows).slice(0, STRETCHES);
  return stretches.map((stretch, index) => ({ ...stretch, until: stretches[index - 1]?.since ?? '' }));
}

async function olderFirst(load: Load, list: ListName, key: string | undefined) {
  const [first, newer] = await Promise.all([
    // All keys of a list have the same length: this finds the stretch that begins at the key or before it.
    key === undefined ? [] : load(listBuckets.page, { ...list, after: [`${key}0`], limit: 1 }),
    load(listBuckets.page, {
      ...list,
      after: key === undefined ? undefined : [key],
      reversed: true,
      limit: STRETCHES,
    }),
  ]);
  const rows = [...newer].reverse();
  const isOldestKnown = key === undefined && rows.at(-1)?.since === '';
  const stretches = isOldestKnown
    ? stretchesIn(rows)
    : [
        ...stretchesIn(rows).filter(({ since }) => since !== ''),
        ...(first.length > 0 ? stretchesIn(first).slice(0, 1) : [INITIAL_STRETCH]),
      ];
  const bounded = stretches
    .map((stretch, index) => ({ ...stretch, until: stretches[index - 1]?.since ?? '' }))
    .reverse();
  // The end of the newest stretch is only known if there are no more.
  return newer.length < STRETCHES ? bounded : bounded.slice(0, -1);
}
