import { LRUCache } from 'lru-cache';
import { elapsedSince, takeMoment, type Moment } from '../base/elapsed';
import { perTurn } from '../base/per-turn';
import type { Database, Write } from '../cassandra/database';
import type { AnyListTable, StoredRow, Unassigned } from '../cassandra/table';
import { createLoad, readMany } from '../reads/load';
import { createGapClearing } from './clear-gap';
import { declareStretches, isEmptyBetween, keyOfRow } from './declare-stretches';
import {
  encodePosition,
  listBuckets,
  MAX_STRETCHES,
  stretchAt,
  stretchesIn,
  INITIAL_STRETCH,
  type Stretch,
} from './list-buckets';
import { createGapRenewal } from './renew-gap';
import { isFull, isRecent, LIST_TIMES, splitList, trustedAge, type ListTimes } from './split-list';

/** Gives the rows of lists their partitions, and splits lists whose partitions have become full. */
export interface BucketAssigner {
  /** Gives writes of lists their partitions; leaves all others as they are. The removal of a row becomes one for each partition that may have it. */
  assignBuckets(writes: readonly Write[]): Promise<readonly Write[]>;
  /** Returns the buckets that may have the row of each write, first the bucket of new rows; none for a write that belongs to no list. */
  bucketsOf(writes: readonly Write[]): Promise<readonly (readonly number[])[]>;
  /**
   * Must be called with the writes that `assignBuckets` returned, when they are stored. Checks now and then whether a partition is full,
   * and renews or clears gaps that removals have left.
   */
  stored(writes: readonly Write[]): void;
  /**
   * Returns the stored writes that must be stored again, because much time has passed since the moment before they were given their
   * partitions: this process was suspended, or Cassandra was slow, and readers may leave out their partitions by now.
   */
  misplaced(writes: readonly Write[], since: Moment): Promise<readonly Write[]>;
  /** Resolves when no check is under way. */
  idle(): Promise<void>;
  /** Resolves when no gap is being renewed, which takes ten minutes. */
  gapsRenewed(): Promise<void>;
}

/** How an assigner decides. Only tests and benchmarks set these, to smaller numbers. */
export interface BucketAssignerOptions extends Partial<ListTimes> {
  /** After how many rows a partition is full, instead of the number that its table declares. */
  readonly fullRows?: number;
  /** A partition is checked after about this many rows: each row leads to a check with this probability, so servers need not count together. */
  readonly rowsPerCheck?: number;
  /** After how many removals a gap gets a new bucket, instead of `WORN_REMOVALS`. */
  readonly wornRemovals?: number;
}

/** How many stretches of lists a server remembers. A list that was never split has one. */
const MAX_REMEMBERED_STRETCHES = 200_000;
/** How many rows of a full partition are read to divide it, as a multiple of the number from which on it is full. */
const READ_RATIO = 2;
/** How many checks there are on average until a partition is full. */
const CHECKS = 5;
/**
 * For how many rows a server uses what it knows of a list, as a part of the rows that make a partition full. So it soon knows of a split.
 */
const TRUSTED_PART = 1 / 40;

interface Known {
  readonly stretches: readonly Stretch[];
  readonly readAt: Moment;
  /** How many rows have got their partitions by it. */
  rows: number;
}

const UNSPLIT: readonly Stretch[] = [INITIAL_STRETCH];
const assigners = new WeakMap<Database, BucketAssigner>();

/** The assigner of a database connection: all that write by it share what is known of lists. */
export function bucketAssignerOf(database: Database): BucketAssigner {
  let assigner = assigners.get(database);
  if (assigner === undefined) assigners.set(database, (assigner = createBucketAssigner(database)));
  return assigner;
}

/** Makes the assigner of a connection decide by other numbers, for tests and benchmarks. It must be called before anything is written. */
export function setBucketAssigner(database: Database, options: BucketAssignerOptions): void {
  assigners.set(database, createBucketAssigner(database, options));
}

function createBucketAssigner(
  database: Database,
  { fullRows, rowsPerCheck, wornRemovals, ...given }: BucketAssignerOptions = {},
): BucketAssigner {
  const times = { ...LIST_TIMES, ...given };
  const known = new LRUCache<string, Known>({
    maxSize: MAX_REMEMBERED_STRETCHES,
    sizeCalculation: ({ stretches }) => stretches.length,
  });
  const checks = new Map<string, Promise<void>>();
  const clearLater = createGapClearing(database);
  const gaps = createGapRenewal(database, times, (list) => known.delete(joinListName(list)), wornRemovals);
  const fullRowsOf = (table: AnyListTable) => fullRows ?? table.fullRows;
  /** The `load` of this turn of the event loop: bulk writers assign the buckets of many batches in one turn. */
  const loadOfTurn = perTurn(() => createLoad(database));

  /** Reads how lists are split, unless that is known well enough and need not be `fresh`. */
  const stretchesOf = async (lists: readonly Unassigned[], now: Moment, fresh: boolean) => {
    const names = lists.map(joinListName);
    const found = new Map<string, Known>();
    const missing = new Map<string, Unassigned>();
    lists.forEach((list, index) => {
      const name = names[index] ?? '';
      const entry = known.get(name);
      if (!fresh && entry !== undefined && isTrusted(list, entry, now, times)) found.set(name, entry);
      else missing.set(name, list);
    });
    const load = loadOfTurn();
    const rows = await Promise.all(
      Array.from(missing.values(), ({ table, owner }) =>
        load(listBuckets.page, { owner, list: table.name, limit: MAX_STRETCHES }),
      ),
    );
    [...missing.keys()].forEach((name, index) => {
      const ofList = rows[index] ?? [];
      const entry = { stretches: ofList.length === 0 ? UNSPLIT : stretchesIn(ofList), readAt: now, rows: 0 };
      known.set(name, entry);
      found.set(name, entry);
    });
    return names.map((name) => found.get(name)?.stretches ?? UNSPLIT);
  };

  const bucketsOf = async (writes: readonly Write[], fresh = false) => {
    const lists = writes.flatMap(({ unassigned }) => unassigned ?? []);
    const now = takeMoment();
    const stretches = lists.length === 0 ? [] : await stretchesOf(lists, now, fresh);
    let index = 0;
    return writes.map(({ unassigned }) => {
      if (unassigned === undefined) return [];
      const { bucket, others } = stretchOf(stretches[index++] ?? UNSPLIT, unassigned, now.wall);
      return others.length === 0 ? [bucket] : [bucket, ...others];
    });
  };

  /** Splits a list if a partition of it is full. */
  const check = async (unassigned: Unassigned, bucket: number) => {
    const { table, shardOwner, position } = unassigned;
    const full = fullRowsOf(table);
    const limit = isRecent(position, new Date()) ? full : READ_RATIO * full;
    const read = await database.read(table.positions, [shardOwner, bucket, limit]);
    const keys = read.map((row) => keyOfRow(table, row as StoredRow));
    const partition = { bucket, position, keys, fullRows: full, now: new Date() };
    if (!isFull(partition)) return;
    await declareStretches(database, unassigned, async ({ stretches, next }) => ({
      stretches: await splitList(
        { ...partition, stretches, now: new Date(), next, times },
        (other, since, until) => isEmptyBetween(database, unassigned, other, since, until),
      ),
    }));
    known.delete(joinListName(unassigned));
  };

  return {
    bucketsOf,
    async assignBuckets(writes) {
      if (!writes.some(({ unassigned }) => unassigned)) return writes;
      const buckets = await bucketsOf(writes);
      return writes.flatMap((write, index) => {
        const { unassigned } = write;
        if (unassigned === undefined) return [write];
        const [bucket = 0, ...others] = buckets[index] ?? [];
        return (unassigned.isRemoval ? [bucket, ...others] : [bucket]).map((one) =>
          inBucket(write, unassigned, one),
        );
      });
    },
    stored(writes) {
      for (const { unassigned, removed, params } of writes) {
        if (removed) clearLater(removed);
        if (unassigned === undefined) continue;
        if (unassigned.isRemoval) {
          gaps.removed(unassigned);
          continue;
        }
        if (Math.random() * (rowsPerCheck ?? fullRowsOf(unassigned.table) / CHECKS) >= 1) continue;
        const name = `${joinListName(unassigned)} ${String(params[unassigned.bucketAt])}`;
        if (checks.has(name)) continue;
        // A check that fails is made again after some more rows.
        const checking = check(unassigned, Number(params[unassigned.bucketAt]))
          .catch(() => undefined)
          .finally(() => checks.delete(name));
        checks.set(name, checking);
      }
    },
    async misplaced(writes, since) {
      if (elapsedSince(since) <= times.storedWithinMs) return [];
      const ofLists = writes.filter(({ unassigned }) => unassigned);
      const buckets = await bucketsOf(ofLists, true);
      const written = new Set(ofLists.map((write) => placeOf(write)));
      const moved = ofLists.filter((write, index) => {
        const [bucket, ...others] = buckets[index] ?? [];
        const due = write.unassigned?.isRemoval ? [bucket, ...others] : [bucket];
        return due.some((one) => !written.has(placeOf(write, one)));
      });
      const present = await Promise.all(moved.map((write) => isPresent(database, write)));
      return moved.filter((_, index) => present[index]);
    },
    async idle() {
      while (checks.size > 0) await Promise.all(checks.values());
    },
    gapsRenewed: gaps.idle,
  };
}

function joinListName({ table, owner }: Unassigned): string {
  return `${table.name} ${owner}`;
}

/**
 * Whether the known stretches of a list are good enough for a write. For a removal they must be read, because it looks into all partitions
 * that may have the row.
 */
function isTrusted(
  { table, position, isRemoval }: Unassigned,
  known: Known,
  now: Moment,
  times: ListTimes,
): boolean {
  // A list of 10^8 rows has 10,000 stretches: reading them costs at most one row for each that is written.
  const trustedRows = Math.max(TRUSTED_PART * table.fullRows, known.stretches.length);
  if (isRemoval || known.rows++ >= trustedRows) return false;
  return elapsedSince(known.readAt, now) < trustedAge(position, known.stretches, new Date(now.wall), times);
}

/** The stretch of a row. A new row goes to a stretch only some time after that was declared. `now` is before the stretches were read. */
function stretchOf(stretches: readonly Stretch[], { position, isRemoval }: Unassigned, now: number): Stretch {
  if (stretches === UNSPLIT) return INITIAL_STRETCH;
  const stretch = stretchAt(stretches, encodePosition(position));
  const [former] = stretch.others;
  if (isRemoval || now >= Number(stretch.effectiveAt) || former === undefined) return stretch;
  return { ...stretch, bucket: former, others: [stretch.bucket, ...stretch.others.slice(1)] };
}

/** The row of a write of a list, in its bucket or another one, as text. */
function placeOf({ unassigned, params }: Write, bucket: unknown = params[unassigned?.bucketAt ?? 0]): string {
  if (unassigned === undefined) return '';
  return `${joinListName(unassigned)} ${encodePosition(unassigned.position)} ${String(bucket)}`;
}

/** Whether the row of a write is where it was stored; true for a removal. A row that was removed before must not be stored anywhere else. */
async function isPresent(database: Database, { unassigned, params }: Write): Promise<boolean> {
  if (unassigned === undefined || unassigned.isRemoval) return true;
  const { table, shardOwner, position, bucketAt } = unassigned;
  const key = Object.fromEntries(table.clustering.map((property, index) => [property, position[index]]));
  const [row] = await readMany(database, table.get, [
    { ...key, [table.owner]: shardOwner, bucket: Number(params[bucketAt]) },
  ]);
  return row !== null;
}

function inBucket(write: Write, { shardOwner, bucketAt }: Unassigned, bucket: number): Write {
  const params = [...write.params];
  params[bucketAt] = bucket;
  return { ...write, params, partition: `${shardOwner} ${bucket}` };
}
