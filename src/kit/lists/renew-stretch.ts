import type { Database } from '../cassandra/database';
import type { AnyListTable, StoredRow } from '../cassandra/table';
import { readMany } from '../reads/load';
import { declareStretches } from './declare-stretches';
import {
  decodePosition,
  encodePosition,
  listBuckets,
  MAX_STRETCHES,
  stretchesIn,
  type Stretch,
} from './list-buckets';
import { clearRange, readStored, storeMoved } from './move-rows';
import { MAX_OTHERS, TRUSTED_MS } from './split-list';
import type { BoundedStretch } from './stretches';

/** After this time no server writes to the bucket from which a stretch was taken, in milliseconds. */
export const SETTLED_MS = TRUSTED_MS + 60_000;
/** How many rows a stretch that is taken from another has at most, and how many of them are newer than the last removed row. */
const TAKEN_ROWS = 200;
const NEWER_ROWS = 50;
/** How many rows are moved at most: also those that came since the stretch was declared. */
const MAX_MOVED_ROWS = 1000;

/** A place of a list where many rows were removed: the keys of two of them. */
interface WornPlace {
  readonly table: AnyListTable;
  readonly owner: string;
  readonly key: string;
  readonly other: string;
}

/**
 * Lets reads of a place where many rows were removed pass no tombstones of these any more, in two steps. First some rows around the place
 * become a stretch of their own with a fresh bucket, where new rows go from then on. Once every server knows that, the rows that are left in
 * the old bucket are moved, readers leave that bucket out, and one tombstone takes the place of many. Does nothing if the removals are so
 * scattered that a page passes few. It is called again after as many removals more, so the second step comes with a later call.
 */
export async function renewStretch(database: Database, place: WornPlace, settledMs: number): Promise<void> {
  const { table, owner, key } = place;
  const [rows = []] = await readMany(database, listBuckets.page, [
    { owner, list: table.name, limit: MAX_STRETCHES },
  ]);
  const stretch = findStretch(stretchesIn(rows), key);
  if (stretch.others.length > 0) {
    if (Date.now() - Number(stretch.declaredAt) < settledMs) return;
    if (await settle(database, place, stretch)) return;
  }
  if (stretch.others.length < MAX_OTHERS) await takeStretch(database, place, stretch);
}

/** The stretch of a key, with its end. */
function findStretch(stretches: readonly Stretch[], key: string): BoundedStretch {
  const index = stretches.findIndex(({ since }) => since <= key);
  const stretch = stretches[index];
  if (stretch === undefined) throw new Error('a list has no stretch of a key');
  return { ...stretch, until: stretches[index - 1]?.since ?? '' };
}

/** Moves the rows of a stretch to its own bucket, and clears the others. Resolves to false if they are too many. */
async function settle(
  database: Database,
  { table, owner, key }: WornPlace,
  stretch: BoundedStretch,
): Promise<boolean> {
  const limit = MAX_MOVED_ROWS + 1;
  const stored = await Promise.all(
    stretch.others.map((bucket) => readStored(database, table, owner, bucket, stretch, limit)),
  );
  if (stored.reduce((sum, { values }) => sum + values.length, 0) > MAX_MOVED_ROWS) return false;
  for (const rows of stored) await storeMoved(database, table, stretch.bucket, rows);
  const declared = await declareStretches(database, { table, owner }, ({ stretches }) => {
    const now = findStretch(stretches, key);
    return isSame(now, stretch) ? [{ ...now, others: [] }] : [];
  });
  if (declared.length > 0)
    for (const bucket of stretch.others) await clearRange(database, table, owner, bucket, stretch);
  return true;
}

/** Declares the rows around a worn place to be a stretch of their own, whose rows are still in the old bucket. */
async function takeStretch(
  database: Database,
  { table, owner, key, other }: WornPlace,
  stretch: BoundedStretch,
): Promise<void> {
  const read = (after: string, reversed: boolean, limit: number) =>
    keysAfter(database, table, owner, stretch, { after, reversed, limit });
  const newer = await read(key, true, NEWER_ROWS);
  const until = newer.length === NEWER_ROWS ? (newer.at(-1) ?? '') : stretch.until;
  const taken = await read(until, false, TAKEN_ROWS);
  const since = taken.length === TAKEN_ROWS ? (taken.at(-1) ?? '') : stretch.since;
  if (other < since || (until !== '' && other >= until)) return;
  await declareStretches(database, { table, owner }, ({ stretches, next }) => {
    const { until: end, ...now } = findStretch(stretches, key);
    if (!isSame({ ...now, until: end }, stretch)) return [];
    const rest = until === end ? [] : [{ ...now, since: until }];
    return [{ since, bucket: next, others: [now.bucket, ...now.others], declaredAt: new Date() }, ...rest];
  });
}

/** The keys of the rows of a stretch after one of them, or from its end on for an empty key, in the direction of reading. */
async function keysAfter(
  database: Database,
  table: AnyListTable,
  owner: string,
  { bucket, others, since, until }: BoundedStretch,
  { after, reversed, limit }: { readonly after: string; readonly reversed: boolean; readonly limit: number },
): Promise<readonly string[]> {
  const position = after === '' ? undefined : decodePosition(after);
  const pages = await readMany(
    database,
    table.page,
    [bucket, ...others].map((one) => ({
      [table.owner]: owner,
      bucket: one,
      after: position,
      reversed,
      limit,
    })),
  );
  const keys = pages.flat().map((row) => encodePosition(positionIn(table, row)));
  const inside = [...new Set(keys)].filter((one) => one >= since && (until === '' || one < until)).sort();
  return (reversed ? inside : inside.reverse()).slice(0, limit);
}

function positionIn(table: AnyListTable, row: StoredRow): readonly (string | Date)[] {
  return table.clustering.map((property) => row[property] as string | Date);
}

function isSame(a: BoundedStretch, b: BoundedStretch): boolean {
  return (
    a.since === b.since &&
    a.until === b.until &&
    a.bucket === b.bucket &&
    Number(a.declaredAt) === Number(b.declaredAt) &&
    a.others.join() === b.others.join()
  );
}
