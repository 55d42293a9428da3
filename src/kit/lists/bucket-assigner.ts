import { LRUCache } from 'lru-cache';
import { perTurn } from '../base/per-turn';
import { decideUntilWritten } from '../cassandra/decide';
import type { Database, Write } from '../cassandra/database';
import type { AnyListTable, Row, StoredRow, Unassigned } from '../cassandra/table';
import { createGapClearing } from './clear-gap';
import {
  encodePosition,
  decodePosition,
  listBuckets,
  MAX_STRETCHES,
  stretchAt,
  stretchesIn,
  INITIAL_STRETCH,
  type Stretch,
} from './list-buckets';
import { createLoad, readMany } from '../reads/load';
import { EFFECTIVE_MS, isRecent, splitList, TRUSTED_FOR_OLD_ROWS_MS, TRUSTED_MS } from './split-list';
import { writeOf } from '../cassandra/write';

/** Gives the rows of lists their partitions, and splits lists whose partitions have become full. */
export interface BucketAssigner {
  /** Gives writes of lists their partitions; leaves all others as they are. The removal of a row becomes one for each partition that may have it. */
  assignBuckets(writes: readonly Write[]): Promise<readonly Write[]>;
  /** The buckets that may have the row of each write, that of new rows first; none for a write that belongs to no list. */
  bucketsOf(writes: readonly Write[]): Promise<readonly (readonly number[])[]>;
  /**
   * To be called with the writes that `assignBuckets` returned, when they are stored. Checks now and then whether a partition is full, and
   * clears gaps of other tables that removals have left.
   */
  stored(writes: readonly Write[]): void;
  /** Resolves when no check is under way. */
  idle(): Promise<void>;
}

/** How an assigner decides. Tests use smaller numbers. */
export interface BucketAssignerOptions {
  /** After how many rows a partition is full, instead of the number that its table declares. */
  readonly fullRows?: number;
  /** A partition is checked after about this many rows: each row leads to a check with this probability, so servers need not count together. */
  readonly rowsPerCheck?: number;
  /** After how many milliseconds new rows go to a stretch that was declared. */
  readonly effectiveMs?: number;
}

/** How many stretches of lists a server remembers. A list that was never split has one. */
const MAX_REMEMBERED_STRETCHES = 200_000;
/** How many rows of a full partition are read to divide it, as a multiple of the number from which on it is full. */
const READ_RATIO = 2;

interface Known {
  readonly stretches: readonly Stretch[];
  readonly readAt: number;
}

const UNSPLIT: readonly Stretch[] = [INITIAL_STRETCH];
const assigners = new WeakMap<Database, BucketAssigner>();

/** The assigner of a database connection: all that write by it share what is known of lists. */
export function bucketAssignerOf(database: Database): BucketAssigner {
  let assigner = assigners.get(database);
  if (assigner === undefined) assigners.set(database, (assigner = createBucketAssigner(database)));
  return assigner;
}

/** Makes the assigner of a connection decide by other numbers. It must be called before anything is written. */
export function setBucketAssigner(database: Database, options: BucketAssignerOptions): void {
  assigners.set(database, createBucketAssigner(database, options));
}

function createBucketAssigner(
  database: Database,
  { fullRows, rowsPerCheck, effectiveMs = EFFECTIVE_MS }: BucketAssignerOptions = {},
): BucketAssigner {
  const known = new LRUCache<string, Known>({
    maxSize: MAX_REMEMBERED_STRETCHES,
    sizeCalculation: ({ stretches }) => stretches.length,
  });
  const checks = new Map<string, Promise<void>>();
  const clearLater = createGapClearing(database);
  const fullRowsOf = (table: AnyListTable) => fullRows ?? table.fullRows;
  /** The `load` of this turn of the event loop: bulk writers assign the buckets of many batches in one turn. */
  const loadOfTurn = perTurn(() => createLoad(database));

  /** Reads how lists are split, unless that is known well enough. */
  const stretchesOf = async (lists: readonly Unassigned[]): Promise<(readonly Stretch[])[]> => {
    const now = Date.now();
    const names = lists.map(joinListName);
    const found = new Map<string, Known>();
    const missing = new Map<string, Unassigned>();
    lists.forEach((list, index) => {
      const name = names[index] ?? '';
      const entry = known.get(name);
      if (entry !== undefined && now - entry.readAt < trustOf(list, now)) found.set(name, entry);
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
      const entry = { stretches: ofList.length === 0 ? UNSPLIT : stretchesIn(ofList), readAt: now };
      known.set(name, entry);
      found.set(name, entry);
    });
    return names.map((name) => found.get(name)?.stretches ?? UNSPLIT);
  };

  /** The stretch of a row. A new row goes to a stretch only some time after that was declared. */
  const stretchOf = (stretches: readonly Stretch[], { position, isRemoval }: Unassigned): Stretch => {
    if (stretches.length === 1) return stretches[0] ?? INITIAL_STRETCH;
    const stretch = stretchAt(stretches, encodePosition(position));
    const [former] = stretch.others;
    const isEffective = Date.now() - Number(stretch.declaredAt) >= effectiveMs;
    if (isRemoval || isEffective || former === undefined) return stretch;
    return { ...stretch, bucket: former, others: [stretch.bucket, ...stretch.others.slice(1)] };
  };

  const bucketsOf = async (writes: readonly Write[]) => {
    const lists = writes.flatMap(({ unassigned }) => unassigned ?? []);
    const stretches = lists.length === 0 ? [] : await stretchesOf(lists);
    let index = 0;
    return writes.map(({ unassigned }) => {
      if (unassigned === undefined) return [];
      const { bucket, others } = stretchOf(stretches[index++] ?? UNSPLIT, unassigned);
      return others.length === 0 ? [bucket] : [bucket, ...others];
    });
  };

  /** Splits a list if a partition of it is full. */
  const check = async (unassigned: Unassigned, bucket: number) => {
    const { table, owner, position } = unassigned;
    const full = fullRowsOf(table);
    const read = await database.read(table.positions, [owner, bucket, READ_RATIO * full]);
    if (read.length < full) return;
    const isEmpty = async (other: number, since: string, until: string) => {
      const after = until === '' ? undefined : decodePosition(until);
      const [newest] = await readMany(database, table.page, [
        { [table.owner]: owner, bucket: other, after, limit: 1 },
      ]);
      const row = newest?.[0];
      return row === undefined || encodePosition(positionIn(table, row)) < since;
    };
    const keys = read.map((row) => encodePosition(positionIn(table, row as StoredRow)));
    await declare(database, unassigned, ({ stretches, next }) =>
      splitList({ stretches, bucket, position, keys, now: new Date(), next }, isEmpty),
    );
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
        if (unassigned === undefined || unassigned.isRemoval) continue;
        if (Math.random() * (rowsPerCheck ?? fullRowsOf(unassigned.table) / 2) >= 1) continue;
        const name = `${joinListName(unassigned)} ${String(params[unassigned.bucketAt])}`;
        if (checks.has(name)) continue;
        // A check that fails is made again after some more rows.
        const checking = check(unassigned, Number(params[unassigned.bucketAt]))
          .catch(() => undefined)
          .finally(() => checks.delete(name));
        checks.set(name, checking);
      }
    },
    async idle() {
      while (checks.size > 0) await Promise.all(checks.values());
    },
  };
}

function positionIn(table: AnyListTable, row: StoredRow): readonly (string | Date)[] {
  return table.clustering.map((property) => row[property] as string | Date);
}

function joinListName({ table, owner }: Unassigned): string {
  return `${table.name} ${owner}`;
}

/** How old, in milliseconds, the knowledge of a list may be for a write. That for a removal must be read: it looks into all partitions that may have the row. */
function trustOf({ position, isRemoval }: Unassigned, now: number): number {
  if (isRemoval) return 0;
  return isRecent(position, new Date(now)) ? TRUSTED_MS : TRUSTED_FOR_OLD_ROWS_MS;
}

function inBucket(write: Write, { owner, bucketAt }: Unassigned, bucket: number): Write {
  const params = [...write.params];
  params[bucketAt] = bucket;
  return { ...write, params, partition: `${owner} ${bucket}` };
}

const readStretches =
  'SELECT since, bucket, others, declared_at AS "declaredAt", buckets FROM list_buckets WHERE owner = ? AND list = ?';
const count = 'UPDATE list_buckets SET buckets = ? WHERE owner = ? AND list = ? IF buckets = ?';

/** Declares stretches of a list by a lightweight transaction, after the list is recorded as split. */
async function declare(
  database: Database,
  { table, owner }: Unassigned,
  decide: (list: { stretches: readonly Stretch[]; next: number }) => Promise<readonly Stretch[]>,
): Promise<void> {
  const key = { owner, list: table.name };
  await decideUntilWritten(database, { cql: readStretches, params: [owner, table.name] }, async (rows) => {
    const read = rows as readonly Row<typeof listBuckets>[];
    const before = read[0]?.buckets ?? null;
    const next = before ?? 1;
    const declared = await decide({
      stretches: stretchesIn(read),
      next,
    });
    if (declared.length === 0) return { writes: [], result: undefined };
    await database.write(table.recordSplit, [owner]);
    const stretches = declared.map(({ others, ...one }) => writeOf(listBuckets, { ...key, ...one, others }));
    const counted = { query: count, params: [next + declared.length, owner, table.name, before] };
    return { writes: [counted, ...stretches], result: undefined };
  });
}
