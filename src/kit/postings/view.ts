import { MAX_ID } from '../base/ids';
import type { Database } from '../cassandra/database';
import { sliceStatement } from '../cassandra/statement';
import { readMany } from '../reads/load';
import { runShared } from '../base/shared-runs';
import { readChanges } from './changes';
import { splitTerms, type Place } from './entry';
import type { KnownPostings } from './known-postings';
import type { IndexLimits } from './limits';
import { partOf, type IndexPart, type PartView } from './part';
import { CHANGES, segments, unsealedEntries, type SegmentRow } from './postings.table';
import { readSegment, type Segment } from './segment';
import { SegmentList, type SegmentChange } from './segment-list';
import { Tail, type UnsealedEntry } from './tail';
import { beginSegments } from './commit';

/**
 * How long adding an entry may take, in milliseconds. A writer that needs longer adds the entry again, so that servers, which look back
 * twice as far, find it. Entries are sealed once they are four times as old.
 */
export const MAX_ADDING_MS = 10_000;
const ADDING_LOOK_BACK_MS = 2 * MAX_ADDING_MS;
/**
 * A list of several parts has so many entries that what may be late is looked for less often, and each time only if some were late in the last
 * minutes: because a clock is behind, or writes take long.
 */
export const SHORT_LOOK_BACK_MS = 1000;
const FULL_EVERY_MS = 30_000;
const LATE_MS = 600_000;
/** A server that was suspended for so long begins anew: half of the time after which replaced and sealed rows are removed. */
const MAX_PAUSE_MS = 300_000;
/** How far the clock of another server may be ahead. */
export const MAX_CLOCK_SKEW_MS = 10_000;

/** How long a slot of `unsealed_entries` is. */
const SLOT_MS = 600_000;
/** How many entries of all parts are read at a time: some 16 MB at most. */
const ROWS_AT_ONCE = 1000;
/** More segments than any part of a list has. */
const MAX_SEGMENTS = 1_000_000;
/** A list that has no segments yet is read from so long ago. */
const FIRST_LOOK_BACK_MS = 3_600_000;

const allSegments = sliceStatement(segments.page, segments);

/** The slot of a moment. */
export function timeSlotAt(at: number): number {
  return Math.floor(at / SLOT_MS);
}

/** The parts, segments and unsealed entries of a list, as a server knows them. */
export interface View {
  readonly parts: readonly PartView[];
  /** When the list was last divided, in milliseconds since 1970; never if it is not. */
  readonly dividedAt: number;
  /** The live segments of all parts. */
  readonly segments: SegmentList;
  /** The entries in none of them, oldest first, as many as the server may hold. */
  readonly tail: Tail;
  /** The number of the update that this view is as of. */
  readonly update: number;
}

/** A part of a view, which has all parts that an earlier one had. */
export function partIn({ parts }: View, number: number): PartView {
  const part = parts[number];
  if (part === undefined)
    throw new Error(`A list of ${parts.length} parts must have the part ${number}, but has not.`);
  return part;
}

/** The view of a list that a server keeps, and brings up to date when it is asked to. */
interface ListView {
  /** The view as of the last update. */
  current(): View | null;
  /** Brings the view up to date. Calls during an update share the next one. */
  update(): Promise<View>;
}

/** Creates the view of a list, whose tail takes at most `limits.tailBytes`. `postings` are told what is not live any more. */
export function createView(
  database: Database,
  list: string,
  limits: Pick<IndexLimits, 'tailBytes'>,
  postings: Pick<KnownPostings, 'forget' | 'clear'>,
): ListView {
  const tail = new Tail();
  let known: View | null = null;
  /** The last read of the entries of each part. */
  let tailReads: readonly TailRead[] = [];
  /** The time until which late entries are looked for each time, because some were late. */
  let lateUntil = 0;
  let updatedAt = 0;
  const update = async () => {
    const began = Date.now();
    // After a long pause, what was sealed meanwhile may be removed already, so the tail begins anew.
    const before = began - updatedAt > MAX_PAUSE_MS ? null : known;
    if (before === null) {
      tail.drop(known?.parts.map(() => Infinity) ?? []);
      tailReads = [];
      postings.clear();
    }
    if (began < updatedAt - MAX_CLOCK_SKEW_MS) {
      // The clock was set back. What comes now is before what was read last, so all is read again; the tail keeps what it has.
      tailReads = [];
      lateUntil = 0;
    }
    const number = (known?.update ?? 0) + 1;
    // The tail is read last: what is sealed meanwhile is then in both, which is harmless.
    const { parts, dividedAt, change } = await readParts(database, list, before?.parts ?? []);
    const dropped = parts.map((part, n) => droppedThrough(part, before?.parts[n]));
    tail.drop(dropped);
    // Entries that stay in the tail may have been added again and sealed since, so these later entries are read, too.
    const froms = parts.map(({ sealedThrough }, n) =>
      Math.min(sealedThrough, before?.parts[n]?.sealedThrough ?? sealedThrough),
    );
    tailReads = await Promise.all(
      parts.map((part, n) => {
        const read = dropped[n] === Infinity ? NOTHING_READ : (tailReads[n] ?? NOTHING_READ);
        return readOn(part, froms[n] ?? 0, began, read, number);
      }),
    );
    const isChanged = change.removed.length + change.added.length > 0;
    const segments =
      before && !isChanged ? before.segments : (before?.segments ?? NO_SEGMENTS).change(change);
    known = { parts, dividedAt, segments, tail, update: number };
    postings.forget(change);
    updatedAt = began;
  };
  /** Reads further entries of a part that were added after a moment, as many as the tail may hold. */
  const readOn = async (
    part: PartView,
    after: number,
    began: number,
    before: TailRead,
    update: number,
  ): Promise<TailRead> => {
    if (tail.bytes >= limits.tailBytes) return before;
    // A list of one part has few entries, so all that may have become visible late are read each time.
    const isFull = part.of === 1 || began >= before.fullAt + FULL_EVERY_MS || began < lateUntil;
    const from = Math.min(
      before.through - SHORT_LOOK_BACK_MS,
      isFull ? before.fullAt - ADDING_LOOK_BACK_MS : Infinity,
    );
    let through = Math.max(after + 1, from);
    const read: TailRead = { through: began, fullAt: isFull ? began : before.fullAt };
    // Most were read before, and splitting their terms would be most of the work.
    const isNew = (entry: Place & { at: number }) => !tail.knows(entry);
    for await (const page of readUnsealed(database, part, through, began + MAX_CLOCK_SKEW_MS, isNew))
      for (const entry of page) {
        if (tail.bytes >= limits.tailBytes) return { ...read, through: Math.min(began, through) };
        tail.add(entry, update);
        through = entry.at;
        if (through < before.through - SHORT_LOOK_BACK_MS) lateUntil = began + LATE_MS;
      }
    return read;
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

/** A read of the entries of a part. */
interface TailRead {
  /** Up to when they were read. */
  readonly through: number;
  /** When all that may have become visible late were last looked for. */
  readonly fullAt: number;
}

const NO_SEGMENTS = SegmentList.of([]);
const NOTHING_READ: TailRead = { through: 0, fullAt: 0 };

/** Reads what all parts of a list consist of, as far as it has changed since it was `before`. */
async function readParts(
  database: Database,
  list: string,
  before: readonly PartView[],
): Promise<Pick<View, 'parts' | 'dividedAt'> & { readonly change: SegmentChange }> {
  let count = Math.max(1, before.length);
  for (;;) {
    const all = Array.from({ length: count }, (_, number) => partOf(list, number, count));
    const heads = all.map(({ name }) => ({ list: name, limit: 1 }));
    // The first row has the changes.
    const read = (await readMany(database, allSegments, heads)).map(({ statics }) => statics);
    const stored = read[0]?.parts ?? 1;
    if (stored <= count) {
      const parts: PartRead[] = [];
      // One after another: the rows of a whole part may take 100 MB.
      for (const [n, part] of all.entries())
        parts.push(await readPart(database, part, before[n], read[n] ?? null));
      return {
        parts: parts.map(({ part }) => part),
        dividedAt: Number(read[0]?.dividedAt ?? -Infinity),
        change: {
          removed: parts.flatMap(({ removed }) => removed),
          added: parts.flatMap(({ added }) => added),
        },
      };
    }
    count = stored;
  }
}

/** A part as it was read, and what has changed in it since the last time. */
interface PartRead extends SegmentChange {
  readonly part: PartView;
}

/** Reads a part, as far as it has changed since it was `last`. `head` is the row of the changes. */
async function readPart(
  database: Database,
  part: IndexPart,
  last: PartView | undefined,
  head: Partial<SegmentRow> | null,
): Promise<PartRead> {
  if (last?.of === part.of && head?.version != null) {
    if (head.version === last.version) return { part: last, removed: [], added: [] };
    const changed = await readChanged(database, last, head);
    if (changed !== null) return changed;
  }
  const whole = await readWholePart(database, part);
  return { part: whole, removed: [...(last?.segments ?? [])], added: [...whole.segments] };
}

/**
 * Reads what has changed in a part since its last version; null if that is not known. `head` is the row of the changes, and is read again together with
 * the segments: if others have changed the part since, a segment may be gone whose replacement is not known yet.
 */
async function readChanged(
  database: Database,
  last: PartView,
  head: Partial<SegmentRow>,
): Promise<PartRead | null> {
  for (let now = head; ;) {
    const { version = null, changes = null, sealedThrough = null, maintained = null } = now;
    const ids = readChanges(changes, last.version, version);
    if (ids === null || sealedThrough === null) return null;
    const keys = [CHANGES, ...ids].map((segment) => ({ list: last.name, segment }));
    const [again, ...rows] = await readMany(database, segments.get, keys);
    if (again?.version === version) {
      const read = rows.flatMap((row) => row ?? []);
      // The place of a segment in the list is known by its row, which stays for minutes after the segment was replaced.
      if (read.length < rows.length) return null;
      const removed = read.flatMap((row) => last.segments.find(readSegment(row, last.number)) ?? []);
      const added = keepLive(last, read);
      const part = {
        ...last,
        segments: last.segments.change({ removed, added }),
        version,
        sealedThrough: Number(sealedThrough),
        maintained,
      };
      return { part, removed, added };
    }
    now = again ?? {};
  }
}

async function readWholePart(database: Database, part: IndexPart): Promise<PartView> {
  const readAll = async () =>
    (await readMany(database, allSegments, [{ list: part.name, limit: MAX_SEGMENTS }]))[0];
  let all = await readAll();
  if (all?.statics?.sealedThrough == null) {
    await beginSegments(database, part, new Date(Date.now() - FIRST_LOOK_BACK_MS));
    all = await readAll();
  }
  const { sealedThrough = null, version = null, maintained = null } = all?.statics ?? {};
  return {
    ...part,
    segments: SegmentList.of(keepLive(part, all?.rows ?? [])),
    version,
    sealedThrough: Number(sealedThrough ?? Date.now() - FIRST_LOOK_BACK_MS),
    maintained,
  };
}

function keepLive({ number }: IndexPart, rows: readonly SegmentRow[]): readonly Segment[] {
  return rows
    .filter(({ state, size }) => state === 'live' && size !== null)
    .map((row) => readSegment(row, number));
}

/**
 * Returns the moment up to which the entries of a part are dropped. Searches that are under way still use the view before, so entries that
 * were sealed since stay until the next update. A part that was begun anew keeps none of its former entries.
 */
function droppedThrough({ sealedThrough }: PartView, before: PartView | undefined): number {
  if (before === undefined) return -Infinity;
  return sealedThrough < before.sealedThrough ? Infinity : before.sealedThrough;
}

/**
 * Reads the entries that were added to a part between two moments, both inclusive, and not removed since: oldest first, some at a time.
 * `isWanted` says which of them.
 */
export async function* readUnsealed(
  database: Database,
  { name, number, of }: IndexPart,
  from: number,
  to: number,
  isWanted: (entry: Place & { readonly at: number }) => boolean = () => true,
): AsyncIterable<readonly UnsealedEntry[]> {
  const limit = Math.ceil(ROWS_AT_ONCE / of);
  let after: (Date | number | string)[] = [new Date(from - 1), 255, MAX_ID];
  for (let slot = timeSlotAt(from); slot <= timeSlotAt(to);) {
    const [rows = []] = await readMany(database, unsealedEntries.page, [{ slot, list: name, after, limit }]);
    yield rows
      .map((row) => ({ ...row, at: Number(row.at) }))
      .filter((row) => row.at <= to && isWanted(row))
      .map(({ at, rank, id, terms }) => ({ at, part: number, rank, id, terms: splitTerms(terms) }));
    const last = rows.at(-1);
    if (last !== undefined && rows.length === limit && Number(last.at) <= to)
      after = [last.at, last.rank, last.id];
    else slot++;
  }
}
