import { MAX_ID } from '../base/ids';
import type { Database } from '../cassandra/database';
import { sliceStatement } from '../cassandra/statement';
import { readMany } from '../reads/load';
import { runShared } from '../base/shared-runs';
import { splitTerms, type Place } from './entry';
import type { IndexLimits } from './limits';
import { segments, unsealedEntries } from './postings.table';
import { compareSegments, readSegment, type Segment } from './segment';
import { Tail, type UnsealedEntry } from './tail';
import { beginSegments } from './commit';

/**
 * How long adding an entry may take, in milliseconds. Who needs longer adds the entry again, so that servers, which look back
 * twice as far, find it. Entries are sealed once they are four times as old.
 */
export const MAX_ADDING_MS = 10_000;
const ADDING_LOOK_BACK_MS = 2 * MAX_ADDING_MS;
/** How far the clock of another server may be ahead. */
const MAX_CLOCK_SKEW_MS = 10_000;

/** How long a slot of `unsealed_entries` is. */
const SLOT_MS = 600_000;
/** How many entries are read at a time: some 16 MB at most. */
const ROWS_AT_ONCE = 1000;
/** More segments than any list has. */
export const MAX_SEGMENTS = 1_000_000;
/** A list that has no segments yet is read from so long ago. */
const FIRST_LOOK_BACK_MS = 3_600_000;

const allSegments = sliceStatement(segments.page, segments);

/** The slot of a moment. */
export function timeSlotAt(at: number): number {
  return Math.floor(at / SLOT_MS);
}

/** What a list consists of, as a server knows it. */
export interface View {
  /** The live segments, in the order of their first entries. */
  readonly segments: readonly Segment[];
  /** The entries in none of them, oldest first, as many as the server may hold. */
  readonly tail: Tail;
  /** Up to when the entries that were added are in segments, in milliseconds since 1970. */
  readonly sealedThrough: number;
  /** Changes whenever entries are sealed or segments merged; null before the first time: see `commitMaintained`. */
  readonly maintained: string | null;
  /** The number of the update that this view is as of. */
  readonly update: number;
}

/** The view of a list that a server keeps, and brings up to date when it is asked to. */
interface ListView {
  /** The view as of the last update. */
  current(): View | null;
  /** Brings the view up to date. Calls during an update share the next one. */
  update(): Promise<View>;
}

/** Creates the view of a list, whose tail takes at most `limits.tailBytes`. */
export function createView(
  database: Database,
  list: string,
  limits: Pick<IndexLimits, 'tailBytes'>,
): ListView {
  const tail = new Tail();
  let known: (View & { readonly version: string | null }) | null = null;
  let readThrough = 0;
  const readSegments = async () => {
    const [first] = await readMany(database, allSegments, [{ list, limit: 1 }]);
    if (known && known.version !== null && first?.statics?.version === known.version) return known;
    const readAll = async () => (await readMany(database, allSegments, [{ list, limit: MAX_SEGMENTS }]))[0];
    let all = await readAll();
    if (all?.statics?.sealedThrough == null) {
      tail.drop(Infinity);
      await beginSegments(database, list, new Date(Date.now() - FIRST_LOOK_BACK_MS));
      all = await readAll();
    }
    const { sealedThrough = null, version = null, maintained = null } = all?.statics ?? {};
    return {
      segments: keepLive(all?.rows ?? []),
      sealedThrough: Number(sealedThrough ?? Date.now() - FIRST_LOOK_BACK_MS),
      version,
      maintained,
    };
  };
  /** Reads the entries from a moment on, as many as the tail may hold. Resolves to when the last one was added that came in. */
  const readTail = async (from: number, to: number, update: number) => {
    let through = from;
    // Most were read before, and splitting their terms would be most of the work.
    const isNew = (entry: Place & { at: number }) => !tail.knows(entry);
    for await (const page of readUnsealed(database, list, from, to, isNew))
      for (const entry of page) {
        if (tail.bytes >= limits.tailBytes) return through;
        tail.add(entry, update);
        through = entry.at;
      }
    return to;
  };
  const update = async () => {
    const began = Date.now();
    const number = (known?.update ?? 0) + 1;
    // The tail is read last: what is sealed meanwhile is then in both, which is harmless.
    const read = await readSegments();
    // Searches that are under way still use the view before, so what was sealed since stays until the next update.
    tail.drop(Math.min(known?.sealedThrough ?? 0, read.sealedThrough));
    const from = Math.max(read.sealedThrough + 1, readThrough - ADDING_LOOK_BACK_MS);
    if (tail.bytes < limits.tailBytes)
      readThrough = Math.min(began, await readTail(from, began + MAX_CLOCK_SKEW_MS, number));
    const { segments, sealedThrough, version, maintained } = read;
    known = { segments, sealedThrough, version, maintained, tail, update: number };
  };
  return {
    current: () => known,
    async update() {
      await runShared(tail, list, null, update);
      if (known === null) throw new Error(`The list ${list} must be known after an update, but is not.`);
      return known;
    },
  };
}

function keepLive(rows: readonly Parameters<typeof readSegment>[0][]): Segment[] {
  return rows
    .filter(({ state, size }) => state === 'live' && size !== null)
    .map(readSegment)
    .sort(compareSegments);
}

/**
 * Reads the entries that were added to a list between two moments, both inclusive, and not removed since: oldest first, some at a time.
 * `isWanted` says which of them.
 */
export async function* readUnsealed(
  database: Database,
  list: string,
  from: number,
  to: number,
  isWanted: (entry: Place & { readonly at: number }) => boolean = () => true,
): AsyncIterable<readonly UnsealedEntry[]> {
  let after: (Date | number | string)[] = [new Date(from - 1), 255, MAX_ID];
  for (let slot = timeSlotAt(from); slot <= timeSlotAt(to);) {
    const [rows = []] = await readMany(database, unsealedEntries.page, [
      { slot, list, after, limit: ROWS_AT_ONCE },
    ]);
    yield rows
      .map((row) => ({ ...row, at: Number(row.at) }))
      .filter((row) => row.at <= to && isWanted(row))
      .map(({ at, rank, id, terms }) => ({ at, rank, id, terms: splitTerms(terms) }));
    const last = rows.at(-1);
    if (last !== undefined && rows.length === ROWS_AT_ONCE && Number(last.at) <= to)
      after = [last.at, last.rank, last.id];
    else slot++;
  }
}
