import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Database } from '../cassandra/database';
import type { Unassigned } from '../cassandra/table';
import {
  declareStretches,
  isEmptyBetween,
  keyBeside,
  type Declared,
  type ListOfOwner,
} from './declare-stretches';
import { encodePosition, keyAfter, MAX_OTHERS, stretchAt, type Stretch } from './list-buckets';
import type { ListTimes } from './split-list';

// Removed rows leave tombstones, which pages pass until Cassandra drops them after ten days. A gap is the place between two rows of a
// list. If many rows were made and removed in one, it becomes a stretch of its own with a new bucket, and readers leave the former one
// out as soon as no server stores rows of the gap there. Rows are never moved. Stretches beside it that have no rows become a part of it.

/** After about how many removals the bucket of a gap is renewed. */
const WORN_REMOVALS = 300;
/** How many removals that were chosen by chance a gap must have: a gap with few removals is hardly ever taken for a worn one. */
const MIN_SAMPLES = 3;
/** How many lists have samples, and how many of the latest ones each. */
const MAX_SAMPLED_LISTS = 10_000;
const MAX_SAMPLES = 12;
/** How many gaps are renewed at once. Other gaps are renewed at their next removals. */
const MAX_RENEWALS = 1000;

/** A gap that became a stretch, and where it ends; empty for the end of the list. */
interface Gap extends Stretch {
  readonly until: string;
}

/** Renews the buckets of worn gaps. */
interface GapRenewal {
  /** Must be called with each stored removal of a row. */
  removed(removal: Unassigned): void;
  /** Resolves when no gap is being renewed. */
  idle(this: void): Promise<void>;
}

/** Creates the renewal of the buckets of worn gaps. `onChange` is told when the stretches of a list have changed. */
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
      const gaps = await declareGap(database, list, sampled, times);
      if (gaps.length === 0) return;
      onChange(list);
      samples.set(
        name,
        sampled.filter((key) => !gaps.some((gap) => isIn(gap, key))),
      );
      await sleep(times.settledMs, undefined, { ref: false });
      for (const gap of gaps) await leaveEmptyBuckets(database, list, gap);
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

/**
 * Declares the gap of the latest of some removed rows as a stretch with a new bucket, if it has enough of them. Stretches beside it that
 * have no rows become a part of it, and if a row is between, one stretch: otherwise there would be one for each row that somebody
 * keeps for a while and then removes. Resolves to the new stretches.
 */
async function declareGap(
  database: Database,
  list: ListOfOwner,
  removed: readonly string[],
  { settledMs, trustedMs, effectiveMs }: ListTimes,
): Promise<readonly Gap[]> {
  const key = removed.at(-1);
  // If reads ask one replica only, it may lack rows that others have, so no gap is known to be empty.
  if (key === undefined || (database.readsOneReplica && database.nodes() > 1)) return [];
  let declared: readonly Gap[] = [];
  await declareStretches(database, list, async ({ stretches, next }) => {
    const isKnown = (gap: Gap) =>
      stretches.some(({ since, bucket }) => since === gap.since && bucket === gap.bucket);
    // The last attempt was applied although its answer was lost.
    if (declared.length > 0 && declared.every(isKnown)) return NOTHING;
    declared = [];
    const now = Date.now();
    const bounded = stretches.map((one, n): Gap => ({ ...one, until: stretches[n - 1]?.since ?? '' }));
    const at = stretches.indexOf(stretchAt(stretches, key));
    const own = bounded[at];
    // It may be that others still store rows in its former buckets.
    const isSettled = ({ effectiveAt }: Stretch) => now - Number(effectiveAt) >= settledMs;
    if (own === undefined || !isSettled(own)) return NOTHING;
    // A server was killed before it could let readers leave out the others.
    if (own.others.length >= MAX_OTHERS) return ((declared = [own]), NOTHING);
    const around = await gapAround(database, list, bucketsIn([own]), key);
    const isOlderInside = around.since > own.since;
    const isNewerInside = around.until !== '' && (own.until === '' || around.until < own.until);
    const settled = (beside: readonly Gap[]) => {
      const end = beside.findIndex((one) => !isSettled(one));
      return end < 0 ? beside : beside.slice(0, end);
    };
    const older = await emptyOnes(database, list, settled(bounded.slice(at + 1)), isOlderInside ? [] : [own]);
    const newer = isNewerInside
      ? []
      : await emptyOnes(database, list, settled(bounded.slice(0, at).reverse()), [own, ...older]);
    const merged = isOlderInside ? [own, ...newer] : [...older.toReversed(), own, ...newer];
    // The change takes effect when every server knows of it, not before.
    const effectiveAt = new Date(now + trustedMs + effectiveMs);
    const gap: Gap = {
      since: isOlderInside ? around.since : (merged[0]?.since ?? ''),
      until: isNewerInside ? around.until : (merged.at(-1)?.until ?? ''),
      bucket: next,
      others: bucketsIn([own, ...merged]),
      effectiveAt,
    };
    if (removed.filter((one) => isIn(gap, one)).length < MIN_SAMPLES) return NOTHING;
    const [newest, oldest] = isOlderInside && older.length > 1 ? [older[0], older.at(-1)] : [];
    const below: Gap[] =
      newest && oldest
        ? [
            {
              since: oldest.since,
              until: newest.until,
              bucket: next + 1,
              others: bucketsIn(older),
              effectiveAt,
            },
          ]
        : [];
    declared = [gap, ...below];
    const above = isNewerInside ? [{ ...own, since: around.until }] : [];
    const kept = [...above, ...declared].map(({ since }) => since);
    const joined = [...merged.slice(isOlderInside ? 1 : 0), ...(below.length > 0 ? older : [])];
    return {
      stretches: [...above, ...declared],
      joined: joined.map(({ since }) => since).filter((since) => !kept.includes(since)),
    };
  });
  return declared;
}

/**
 * Returns the first of some stretches that have no rows, as long as they and the stretches `among` which they are to be have few buckets.
 */
async function emptyOnes(
  database: Database,
  list: ListOfOwner,
  stretches: readonly Gap[],
  among: readonly Stretch[],
): Promise<readonly Gap[]> {
  const empty: Gap[] = [];
  for (const one of stretches) {
    if (bucketsIn([...among, ...empty, one]).length > MAX_OTHERS) return empty;
    for (const bucket of bucketsIn([one]))
      if (!(await isEmptyBetween(database, list, bucket, one.since, one.until))) return empty;
    empty.push(one);
  }
  return empty;
}

const NOTHING: Declared = { stretches: [] };

/** The buckets that may have rows of some stretches, each once. */
function bucketsIn(stretches: readonly Stretch[]): readonly number[] {
  return [...new Set(stretches.flatMap(({ bucket, others }) => [bucket, ...others]))];
}

/** Finds the gap around a key in some buckets: from behind the nearest older row up to the nearest newer one. */
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
