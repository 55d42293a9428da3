import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Database } from '../cassandra/database';
import type { Unassigned } from '../cassandra/table';
import { declareStretches, isEmptyBetween, keyBeside, type ListOfOwner } from './declare-stretches';
import { encodePosition, keyAfter, MAX_OTHERS, stretchAt, type Stretch } from './list-buckets';
import type { ListTimes } from './split-list';

// Removed rows leave tombstones, which pages pass until Cassandra drops them after ten days. A gap is the place between two rows of a
// list. If many rows were made and removed in one, it becomes a stretch of its own with a new bucket, and readers leave the former one
// out as soon as no server stores rows of the gap there. Rows are never moved, and stretches never joined.

/** After about how many removals the bucket of a gap is renewed. */
export const WORN_REMOVALS = 300;
/** How many removals that were chosen by chance a gap must have: a gap with few removals is hardly ever taken for a worn one. */
const MIN_SAMPLES = 3;
/** How many lists have samples, and how many of the latest ones each. */
const MAX_SAMPLED_LISTS = 10_000;
const MAX_SAMPLES = 12;
/** How many gaps are renewed at once. Others are when they have further removals. */
const MAX_RENEWALS = 1000;

/** A gap that became a stretch, and where it ends; empty for the end of the list. */
interface Gap extends Stretch {
  readonly until: string;
}

/** Renews the buckets of worn gaps. */
export interface GapRenewal {
  /** To be called with each removal of a row that was stored. */
  removed(removal: Unassigned): void;
  /** Resolves when no gap is being renewed. */
  idle(this: void): Promise<void>;
}

/** Creates what renews the buckets of worn gaps. `onChange` is told when the stretches of a list have changed. */
export function createGapRenewal(
  database: Database,
  times: ListTimes,
  onChange: (list: Unassigned) => void,
  wornRemovals = WORN_REMOVALS,
): GapRenewal {
  const samples = new LRUCache<string, readonly string[]>({ max: MAX_SAMPLED_LISTS });
  const renewals = new Map<string, Promise<void>>();
  const renew = async (name: string, list: Unassigned) => {
    for (;;) {
      const sampled = samples.get(name) ?? [];
      const gap = await declareGap(database, list, sampled, times);
      if (gap === undefined) return;
      onChange(list);
      samples.set(
        name,
        sampled.filter((key) => !isIn(gap, key)),
      );
      await sleep(times.settledMs, undefined, { ref: false });
      await leaveEmptyBuckets(database, list, gap);
      onChange(list);
    }
  };
  return {
    removed(removal) {
      if (Math.random() * wornRemovals >= MIN_SAMPLES) return;
      const name = `${removal.table.name} ${removal.owner}`;
      const key = encodePosition(removal.position);
      const sampled = [...(samples.get(name) ?? []).filter((other) => other !== key), key];
      samples.set(name, sampled.slice(-MAX_SAMPLES));
      if (sampled.length < MIN_SAMPLES || renewals.has(name) || renewals.size >= MAX_RENEWALS) return;
      // One that fails is begun again after further removals.
      const renewal = renew(name, removal)
        .catch(() => undefined)
        .finally(() => renewals.delete(name));
      renewals.set(name, renewal);
    },
    async idle() {
      while (renewals.size > 0) await Promise.all(renewals.values());
    },
  };
}

function isIn({ since, until }: Gap, key: string): boolean {
  return key >= since && (until === '' || key < until);
}

/** Declares the gap of the latest of some removed rows as a stretch with a new bucket, if it has enough of them. Resolves to it. */
async function declareGap(
  database: Database,
  list: ListOfOwner,
  removed: readonly string[],
  { settledMs, trustedMs, effectiveMs }: ListTimes,
): Promise<Gap | undefined> {
  const key = removed.at(-1);
  // One replica may lack rows that others have, so nothing is known to be empty.
  if (key === undefined || (database.readsOneReplica && database.nodes() > 1)) return undefined;
  let declared: Gap | undefined;
  await declareStretches(database, list, async ({ stretches, next }) => {
    declared = undefined;
    const now = Date.now();
    const stretch = stretchAt(stretches, key);
    const { bucket, others } = stretch;
    // It may be that others still store rows in its former buckets.
    if (now - Number(stretch.effectiveAt) < settledMs || others.length >= MAX_OTHERS) return [];
    const until = stretches[stretches.indexOf(stretch) - 1]?.since ?? '';
    const around = await gapAround(database, list, [bucket, ...others], key);
    const isNewerInside = around.until !== '' && (until === '' || around.until < until);
    const gap: Gap = {
      since: around.since > stretch.since ? around.since : stretch.since,
      until: isNewerInside ? around.until : until,
      bucket: next,
      others: [bucket, ...others],
      // Not before every server knows of it.
      effectiveAt: new Date(now + trustedMs + effectiveMs),
    };
    if (removed.filter((one) => isIn(gap, one)).length < MIN_SAMPLES) return [];
    declared = gap;
    return isNewerInside ? [{ ...stretch, since: around.until }, gap] : [gap];
  });
  return declared;
}

/** Between which rows of some buckets a key is: from the one on, and before the other. */
async function gapAround(database: Database, list: ListOfOwner, buckets: readonly number[], key: string) {
  const beside = async (from: string, side: 'older' | 'newer') => {
    const keys = await Promise.all(buckets.map((bucket) => keyBeside(database, list, bucket, from, side)));
    return keys.filter((one) => one !== undefined).sort();
  };
  // The row itself may have been made again.
  const older = (await beside(keyAfter(key), 'older')).at(-1);
  const newer = (await beside(key, 'newer'))[0];
  return { since: older === undefined ? '' : keyAfter(older), until: newer ?? '' };
}

const leave = 'UPDATE list_buckets SET others = ? WHERE owner = ? AND list = ? AND since = ? IF bucket = ?';

/** Lets readers leave out the buckets that have no rows of a gap, after no server stores rows of it there any more. */
async function leaveEmptyBuckets(database: Database, list: ListOfOwner, gap: Gap): Promise<void> {
  const { since, until, bucket, others } = gap;
  const kept: number[] = [];
  for (const other of others)
    if (!(await isEmptyBetween(database, list, other, since, until))) kept.push(other);
  if (kept.length === others.length) return;
  // If the stretch was split or renewed meanwhile, it has another bucket.
  const params = [kept.length > 0 ? kept : null, list.owner, list.table.name, since, bucket];
  await database.compareAndWrite([{ query: leave, params }]);
}
