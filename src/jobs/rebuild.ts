import { LRUCache } from 'lru-cache';
import { createBulkWriter, type BulkWriter } from '../kit/data/bulk';
import type { Database } from '../kit/cassandra/database';
import { readMany } from '../kit/data/load';
import { buckets } from '../kit/data/buckets';
import { unsettledImports } from '../import/store/import.table';
import { driftIn, expectedIn, surplusIn, type Derived, type Drift, type Expected } from './examine';
import { passWrites } from './recount';
import type { Deriving, Source } from './sources';
import { keyIn, overwriteOf, removeStored, type StoredRow } from './stored';

/** How many rows of a source, and of the table, are looked at at a time. */
const SOURCES_AT_ONCE = 100;
const ROWS_AT_ONCE = 500;
/** How many rows without a source wait until the acts are over that may be about to give them one. */
const MAX_SUSPECTS = 5000;
/** How many months of lists are remembered as looked at. */
const MAX_REMEMBERED_BUCKETS = 100_000;

/** What rebuilding has done so far. */
export interface Rebuilt {
  /** Rows that were looked at: of the sources and of the table. */
  looked: number;
  written: number;
  removed: number;
  /** Rows that could not be mended: another has what they claim. */
  refused: number;
}

/** Throws while an import runs, or is left unfinished: its rows come before what they are derived from. */
export async function requireNoImport(database: Database): Promise<void> {
  const [runs = []] = await readMany(database, unsettledImports.page, [{ part: 0, limit: 1 }]);
  if (runs.length > 0)
    throw new Error('An import is under way, or was killed: let it come to its end first, or run it again.');
}

/** Makes a table what its sources say, while servers serve: no reader misses a row meanwhile that was there before. */
export async function rebuildRows(
  deriving: Deriving,
  derived: Derived,
  onProgress: (rebuilt: Rebuilt) => void,
): Promise<Rebuilt> {
  const rebuilt: Rebuilt = { looked: 0, written: 0, removed: 0, refused: 0 };
  await requireNoImport(deriving.database);
  const bulk = createBulkWriter(deriving.database)();
  const knownBuckets = new LRUCache<string, true>({ max: MAX_REMEMBERED_BUCKETS });
  for (const source of derived.sources) {
    for await (const asked of keysOf(deriving.database, source)) {
      await writeMissing(deriving, derived, source, asked, rebuilt, bulk, knownBuckets);
      rebuilt.looked += asked.length;
      onProgress(rebuilt);
    }
  }
  await removeSurplus(deriving, derived, rebuilt, onProgress);
  return rebuilt;
}

/** What a source is asked for to give everything, some at a time. */
async function* keysOf(database: Database, source: Source): AsyncIterable<string[]> {
  let some = new Set<string>();
  for await (const key of database.stream(source.table.keys.all, [])) {
    const asked = source.ask(key as StoredRow);
    if (asked === null) continue;
    some.add(asked);
    if (some.size < SOURCES_AT_ONCE) continue;
    yield [...some];
    some = new Set();
  }
  yield [...some];
}

/** Writes what a source gives and the table does not have. */
async function writeMissing(
  deriving: Deriving,
  derived: Derived,
  source: Source,
  asked: readonly string[],
  rebuilt: Rebuilt,
  bulk: BulkWriter,
  knownBuckets: LRUCache<string, true>,
): Promise<void> {
  const lookedAt = Date.now() * 1000;
  let expected: Expected[] = [];
  const compare = async () => {
    const drift = await driftIn(deriving, derived, expected);
    expected = [];
    if (drift.length > 0) await mend(deriving, derived, drift, lookedAt, rebuilt, bulk);
  };
  for await (const writes of source.given(deriving, asked)) {
    expected.push(...expectedIn(derived, writes).filter((one) => !isKnownBucket(one, knownBuckets)));
    if (expected.length >= ROWS_AT_ONCE) await compare();
  }
  await compare();
}

/** Whether a row is a month that was looked at before; remembers it. */
function isKnownBucket({ table, row }: Expected, knownBuckets: LRUCache<string, true>): boolean {
  if (table.name !== buckets.name) return false;
  const key = keyIn(table, row);
  const isKnown = knownBuckets.has(key);
  knownBuckets.set(key, true);
  return isKnown;
}

/**
 * Writes rows as those write them who make them: so they lose against a deletion or a later act, whichever comes first. What
 * does not come to be seen so was removed at a later time than it carries, by whatever went wrong: that is written as
 * of the moment before its source was looked at, and taken back where the source does not give it any more.
 */
async function mend(
  deriving: Deriving,
  derived: Derived,
  drift: readonly Drift[],
  lookedAt: number,
  rebuilt: Rebuilt,
  bulk: BulkWriter,
): Promise<void> {
  const { database } = deriving;
  const { put } = derived;
  if (put !== undefined) {
    for (const { row, found } of drift)
      if (await put(deriving, row, found)) rebuilt.written++;
      else rebuilt.refused++;
    return;
  }
  for (const { expected, row, found } of drift)
    if (expected)
      await bulk.put({ ...expected.write, ...overwriteOf(expected.table, row, found, expected.timing) });
  await bulk.flush();
  rebuilt.written += drift.length;
  const wrong = await driftIn(
    deriving,
    derived,
    drift.flatMap(({ expected }) => expected ?? []),
  );
  const hidden = wrong.filter(({ expected }) => expected?.timing != null);
  for (const { expected, row, found } of hidden) {
    if (expected === null) continue;
    const timing = { at: lookedAt, ttl: expected.timing?.ttl ?? 0 };
    const { query, params } = overwriteOf(expected.table, row, found, timing);
    await database.write(query, params);
  }
  await takeBack(deriving, derived, hidden, lookedAt);
}

/** Removes rows that were written as of a moment since when their source has changed. */
async function takeBack(
  deriving: Deriving,
  derived: Derived,
  written: readonly Drift[],
  lookedAt: number,
): Promise<void> {
  const own = written.filter(({ expected }) => expected?.table === derived.table);
  if (own.length === 0) return;
  const gone = await surplusIn(
    deriving,
    { ...derived, isPassing: () => false },
    own.map(({ row }) => row),
  );
  await removeStored(deriving.database, derived.table, gone, lookedAt);
}

/** Removes the rows of a table that no source gives, unless they come to be given while others act. */
export async function removeSurplus(
  deriving: Deriving,
  derived: Derived,
  rebuilt: Rebuilt,
  onProgress: (rebuilt: Rebuilt) => void,
): Promise<void> {
  const { database } = deriving;
  let some: StoredRow[] = [];
  let suspects: StoredRow[] = [];
  let suspectedAt = 0;
  const look = async () => {
    const seenAt = Date.now() * 1000;
    const surplus = await surplusIn(deriving, derived, some);
    if (suspects.length === 0) suspectedAt = seenAt;
    suspects.push(...surplus);
    rebuilt.looked += some.length;
    some = [];
    onProgress(rebuilt);
  };
  const removeSuspects = async () => {
    if (suspects.length === 0) return;
    await passWrites(database);
    await requireNoImport(database);
    const surplus = await surplusIn(deriving, derived, suspects);
    if (derived.remove) for (const row of surplus) await derived.remove(deriving, row);
    else await removeStored(database, derived.table, surplus, suspectedAt);
    rebuilt.removed += surplus.length;
    suspects = [];
  };
  for await (const row of database.stream(derived.table.rows.all, [])) {
    some.push(row as StoredRow);
    if (some.length < ROWS_AT_ONCE) continue;
    await look();
    if (suspects.length >= MAX_SUSPECTS) await removeSuspects();
  }
  await look();
  await removeSuspects();
}
