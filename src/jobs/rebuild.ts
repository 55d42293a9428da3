import type { LRUCache } from 'lru-cache';
import { createGrowingCache } from '../kit/base/growing-cache';
import { createBulkWriter } from '../kit/writes/bulk';
import type { RowWriter } from '../kit/writes/row-writer';
import type { Database } from '../kit/cassandra/database';
import { buckets } from '../kit/lists/buckets';
import { driftIn, examine, expectedIn, surplusIn, type Drift, type Expected } from './examine';
import { passWrites } from './recount';
import { requireNoImport } from './require-no-import';
import type { DerivationOptions, DerivationSource, DerivedTable } from '../write/derived-table';
import type { StoredRow } from '../kit/cassandra/table';
import { isRow, keyIn, overwriteWith, readWriteTimes, removeStored } from './stored';

/** How many rows of a source, and of the table, are compared at a time. */
const SOURCES_AT_ONCE = 100;
const ROWS_AT_ONCE = 500;
/** How many rows without a source are collected before waiting for the writes under way, which may give them a source. */
const MAX_SUSPECTS = 5000;
/** How many buckets of lists are remembered as compared. */
const MAX_REMEMBERED_BUCKETS = 100_000;
/** More than any version of a count or a group, which is the write time of its row. Times of clocks are greater. */
const MAX_VERSION = 2 ** 31;

/** The progress of a rebuild. */
export interface Rebuilt {
  /** How many rows were read, of the sources and of the table. */
  looked: number;
  written: number;
  removed: number;
  /** How many rows could not be repaired, because another user has their name. */
  refused: number;
}

/** Rebuilds a table from its sources while servers keep serving it. No correct row is missing in between. */
export async function rebuildRows(
  context: DerivationOptions,
  derived: DerivedTable,
  onProgress: (rebuilt: Rebuilt) => void,
): Promise<Rebuilt> {
  const rebuilt: Rebuilt = { looked: 0, written: 0, removed: 0, refused: 0 };
  await requireNoImport(context.database);
  const bulk = createBulkWriter(context.database)();
  const knownBuckets = createGrowingCache<true>(MAX_REMEMBERED_BUCKETS);
  for (const source of derived.sources) {
    for await (const keys of readSourceKeys(context.database, source)) {
      await writeMissing(context, derived, source, keys, rebuilt, bulk, knownBuckets);
      rebuilt.looked += keys.length;
      onProgress(rebuilt);
    }
  }
  await removeSurplus(context, derived, rebuilt, onProgress);
  return rebuilt;
}

/** All keys with which to ask a source, each batch without duplicates. */
async function* readSourceKeys(database: Database, source: DerivationSource): AsyncIterable<string[]> {
  let batch = new Set<string>();
  for await (const row of database.stream(source.table.keys.all, [])) {
    const key = isRow(source.table, row) ? source.keyOf(row) : null;
    if (key === null) continue;
    batch.add(key);
    if (batch.size < SOURCES_AT_ONCE) continue;
    yield [...batch];
    batch = new Set();
  }
  yield [...batch];
}

/** Writes the rows that a source gives for `keys` and that are missing from the table or different. */
async function writeMissing(
  context: DerivationOptions,
  derived: DerivedTable,
  source: DerivationSource,
  keys: readonly string[],
  rebuilt: Rebuilt,
  bulk: RowWriter,
  knownBuckets: LRUCache<string, true>,
): Promise<void> {
  const lookedAt = Date.now() * 1000;
  let expected: Expected[] = [];
  const compare = async () => {
    await derived.prepare?.(
      context,
      expected.filter(({ table }) => table === derived.table).map(({ row }) => row),
    );
    const drift = await driftIn(context, derived, expected);
    expected = [];
    if (drift.length > 0) await repair(context, derived, drift, lookedAt, rebuilt, bulk);
  };
  for await (const writes of source.writesOf(context, keys)) {
    const given = await expectedIn(context, derived, writes);
    expected.push(...given.filter((item) => !isKnownBucket(item, knownBuckets)));
    if (expected.length >= ROWS_AT_ONCE) await compare();
  }
  await compare();
}

/** Whether a row is a bucket that was compared before; remembers it. */
function isKnownBucket({ table, row }: Expected, knownBuckets: LRUCache<string, true>): boolean {
  if (table.name !== buckets.name) return false;
  const key = keyIn(table, row);
  const isKnown = knownBuckets.has(key);
  knownBuckets.set(key, true);
  return isKnown;
}

/**
 * Writes rows with the timestamps that mutations give them, so that they lose against a later deletion or change,
 * whichever is written first. If a row stays invisible although its source still gives it, a tombstone with a later timestamp hides it,
 * which is an error. Such a row is written with the time just before its source was read, and removed again if the source no longer gives it.
 */
async function repair(
  context: DerivationOptions,
  derived: DerivedTable,
  drift: readonly Drift[],
  lookedAt: number,
  rebuilt: Rebuilt,
  bulk: RowWriter,
): Promise<void> {
  const { database } = context;
  const { put } = derived;
  if (put !== undefined) {
    for (const { row, found } of drift)
      if (await put(context, row, found)) rebuilt.written++;
      else rebuilt.refused++;
    return;
  }
  for (const { expected, row, found } of drift)
    if (expected)
      await bulk.put({ ...expected.write, ...overwriteWith(expected.table, row, found, expected.timing) });
  await bulk.flush();
  rebuilt.written += drift.length;
  const wrong = await driftIn(
    context,
    derived,
    drift.flatMap(({ expected }) => expected ?? []),
  );
  const hidden = await hiddenAmong(context, derived, wrong);
  for (const { expected, row, found } of hidden) {
    if (expected === null) continue;
    const timing = { at: lookedAt, ttl: expected.timing?.ttl ?? 0 };
    const { query, params } = overwriteWith(expected.table, row, found, timing);
    await database.write(query, params);
  }
  await removeOutdated(context, derived, hidden, lookedAt);
}

/**
 * Those of the rows that their sources give now, too, and that are not shown although they were written. A row whose write time is a
 * version, and which was written by a later one meanwhile, is not hidden: written by a clock, it would lose all later changes.
 */
async function hiddenAmong(
  context: DerivationOptions,
  derived: DerivedTable,
  wrong: readonly Drift[],
): Promise<Drift[]> {
  const dated = wrong.filter(({ expected }) => expected?.timing != null);
  if (dated.length === 0) return [];
  const still = await examine(
    context,
    derived,
    dated.map(({ row }) => row),
  );
  const times = await readWriteTimes(
    context.database,
    derived.table,
    still.map(({ row }) => row),
  );
  return still.filter(({ expected, found }, index) => {
    if (expected?.timing == null) return false;
    const [given, stored] = [expected.timing.at, times[index] ?? 0];
    return found === null || given >= MAX_VERSION || stored >= MAX_VERSION;
  });
}

/** Removes those of the written rows that their source no longer gives. */
async function removeOutdated(
  context: DerivationOptions,
  derived: DerivedTable,
  written: readonly Drift[],
  lookedAt: number,
): Promise<void> {
  const own = written.filter(({ expected }) => expected?.table === derived.table);
  if (own.length === 0) return;
  const gone = await surplusIn(
    context,
    { ...derived, isTransient: () => false },
    own.map(({ row }) => row),
  );
  await removeStored(context.database, derived.table, gone, lookedAt);
}

/** Removes the rows of a table that no source gives, even after the writes under way are done. */
export async function removeSurplus(
  context: DerivationOptions,
  derived: DerivedTable,
  rebuilt: Rebuilt,
  onProgress: (rebuilt: Rebuilt) => void,
): Promise<void> {
  const { database } = context;
  let pending: StoredRow[] = [];
  let suspects: StoredRow[] = [];
  let suspectedAt = 0;
  const look = async () => {
    const seenAt = Date.now() * 1000;
    const surplus = await surplusIn(context, derived, pending);
    if (suspects.length === 0) suspectedAt = seenAt;
    suspects.push(...surplus);
    rebuilt.looked += pending.length;
    pending = [];
    onProgress(rebuilt);
  };
  const removeSuspects = async () => {
    if (suspects.length === 0) return;
    await passWrites(database);
    const surplus = await surplusIn(context, derived, suspects);
    if (derived.remove) for (const row of surplus) await derived.remove(context, row);
    else await removeStored(database, derived.table, surplus, suspectedAt);
    rebuilt.removed += surplus.length;
    suspects = [];
  };
  const { rows } = derived.table;
  for await (const row of database.stream(rows.all, [], rows.rowsAtOnce)) {
    if (isRow(derived.table, row)) pending.push(row);
    if (pending.length < ROWS_AT_ONCE) continue;
    await look();
    if (suspects.length >= MAX_SUSPECTS) await removeSuspects();
  }
  await look();
  await removeSuspects();
}
