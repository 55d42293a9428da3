import { MAX_ID } from '../base/ids';
import type { Database } from '../cassandra/database';
import { sliceStatement } from '../cassandra/statement';
import { readMany } from '../reads/load';
import { runShared } from '../base/shared-runs';
import { segments, unsealedEntries } from './postings.table';
import { compareSegments, readSegment, type Segment } from './segment';
import { Tail, type UnsealedEntry } from './tail';
import { commitSegments } from './write-segment';

/**
 * How long adding an entry may take, in milliseconds. Who needs longer adds the entry again, so that servers, which look back
 * twice as far, find it. Entries are sealed once they are four times as old.
 */
export const MAX_ADDING_MS = 10_000;
const LOOK_BACK_MS = 2 * MAX_ADDING_MS;
/** How far the clock of another server may be ahead. */
const MAX_CLOCK_SKEW_MS = 10_000;

/** How long a slot of `unsealed_entries` is. */
const SLOT_MS = 600_000;
/** How many rows of a slot are read at a time. */
const ROWS_AT_ONCE = 5000;
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
  readonly tail: Tail;
  /** Up to when the entries that were added are in segments, in milliseconds since 1970. */
  readonly sealedThrough: number;
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

/** Creates the view of a list. */
export function createView(database: Database, list: string): ListView {
  const tail = new Tail();
  let known: (View & { readonly version: string | null }) | null = null;
  let readThrough = 0;
  let updates = 0;
  const readSegments = async () => {
    const [first] = await readMany(database, allSegments, [{ list, limit: 1 }]);
    if (known && known.version !== null && first?.statics?.version === known.version) return known;
    const [all] = await readMany(database, allSegments, [{ list, limit: MAX_SEGMENTS }]);
    const sealed = all?.statics?.sealedThrough ?? null;
    const sealedThrough = sealed ?? new Date(Date.now() - FIRST_LOOK_BACK_MS);
    if (sealed === null) {
      tail.drop(Infinity);
      await commitSegments(database, list, { added: [], sealedThrough });
    }
    return {
      segments: keepLive(all?.rows ?? []),
      sealedThrough: Number(sealedThrough),
      version: sealed === null ? null : (all?.statics?.version ?? null),
    };
  };
  const update = async () => {
    const began = Date.now();
    // The tail is read last: what is sealed meanwhile is then in both, which is harmless.
    const read = await readSegments();
    const from = Math.max(read.sealedThrough + 1, readThrough - LOOK_BACK_MS);
    const unsealed = await readUnsealed(database, list, from, began + MAX_CLOCK_SKEW_MS);
    // Searches that are under way still use the view before, so what was sealed since stays until the next update.
    tail.drop(Math.min(known?.sealedThrough ?? 0, read.sealedThrough));
    tail.add(unsealed, ++updates);
    readThrough = began;
    known = {
      segments: read.segments,
      sealedThrough: read.sealedThrough,
      version: read.version,
      tail,
      update: updates,
    };
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

/** Reads the entries that were added to a list between two moments, both inclusive, and not removed since. */
export async function readUnsealed(
  database: Database,
  list: string,
  from: number,
  to: number,
): Promise<UnsealedEntry[]> {
  const found: UnsealedEntry[] = [];
  const slots = Array.from(
    { length: Math.max(0, timeSlotAt(to) - timeSlotAt(from) + 1) },
    (_, n) => timeSlotAt(from) + n,
  );
  let keys = slots.map((slot) => ({
    slot,
    list,
    after: [new Date(from - 1), 255, MAX_ID],
    limit: ROWS_AT_ONCE,
  }));
  while (keys.length > 0) {
    const pages = await readMany(database, unsealedEntries.page, keys);
    keys = keys.flatMap((key, index) => {
      const rows = pages[index] ?? [];
      for (const { at, rank, id, terms } of rows)
        if (Number(at) <= to) found.push({ at: Number(at), rank, id, terms: terms ?? [] });
      const last = rows.at(-1);
      return rows.length < ROWS_AT_ONCE || last === undefined || Number(last.at) > to
        ? []
        : [{ ...key, after: [last.at, last.rank, last.id] }];
    });
  }
  return found;
}
