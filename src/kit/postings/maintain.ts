import { unavailable } from '../base/errors';
import type { Database } from '../cassandra/database';
import { createLoad } from '../reads/load';
import { buildSegments, fillsSegment, writeSegments, type TermsOf } from './build-segments';
import { commitMaintained } from './commit';
import { comparePlaces, keyOfPlace, measureEntry, placeAt, placesIn, type Place } from './entry';
import type { KnownPostings } from './known-postings';
import type { IndexLimits } from './limits';
import { locateEntries } from './lookup';
import { encodeOrdinals, intersect } from './ordinals';
import type { SegmentRow } from './postings.table';
import { nameChunk, CHUNK_ENTRIES, type Segment } from './segment';
import type { SegmentList } from './segment-list';
import type { UnsealedEntry } from './tail';
import { Volumes } from './volumes';
import type { PartView } from './part';
import { MAX_CLOCK_SKEW_MS, readUnsealed, type View } from './view';

/** The services that maintaining a list needs. */
export interface Maintained {
  readonly database: Database;
  readonly known: KnownPostings;
  readonly termsOf: TermsOf;
  readonly limits: IndexLimits;
  readonly stopping?: AbortSignal | undefined;
}

/**
 * Moves the entries that were added to a part up to a moment into segments, oldest first, as many as fill one. If a segment already has one of
 * them, the entry there is marked as superseded, because its terms may have changed. Resolves to the number of entries. Rejects with
 * `UNAVAILABLE` if others have maintained the part since the view.
 */
export async function sealEntries(
  maintained: Maintained,
  { segments, parts }: View,
  part: PartView,
  through: number,
): Promise<number> {
  const { database, known, limits, stopping } = maintained;
  const { latest, sealedTo } = await collectUnsealed(maintained, part, through);
  const entries = [...latest.values()].sort(comparePlaces);
  const superseded = await supersededBy(database, known, segments, entries);
  const added = await writeSegments(database, part, segments, entries, { stopping, limits });
  // Other parts have older entries of the same places, from before a division, from imports and from rebuilds. Until this commits, the
  // unsealed entries come before them.
  for (const other of parts) {
    const ofOther = superseded.get(other.number);
    if (other !== part && ofOther)
      await commitMaintained(database, other, { added: [], superseded: ofOther });
  }
  const sealed = { added, superseded: superseded.get(part.number) ?? [], sealedThrough: new Date(sealedTo) };
  await commitMaintained(database, part, sealed);
  return entries.length;
}

/** Collects entries with their latest terms. All that were added within one millisecond are sealed together. */
async function collectUnsealed({ database, limits }: Maintained, part: PartView, through: number) {
  const latest = new Map<string, UnsealedEntry>();
  let [bytes, sealedTo] = [0, part.sealedThrough];
  for await (const page of readUnsealed(database, part, part.sealedThrough + 1, through))
    for (const entry of page) {
      if (entry.at > sealedTo && fillsSegment({ entries: latest.size, bytes }, limits))
        return { latest, sealedTo };
      sealedTo = entry.at;
      bytes += measureEntry(entry);
      const before = latest.get(keyOfPlace(entry));
      if (before === undefined || before.at < entry.at) latest.set(keyOfPlace(entry), entry);
    }
  return { latest, sealedTo: through };
}

/** The new values of `superseded`, by the number of the part. */
async function supersededBy(
  database: Database,
  known: KnownPostings,
  segments: SegmentList,
  places: readonly Place[],
) {
  const ordinals = new Map<Segment, number[]>();
  const located = await locateEntries(createLoad(database), known, segments, places);
  for (const { segment, ordinal } of [...located.values()].flat())
    ordinals.set(segment, [...(ordinals.get(segment) ?? []), ordinal]);
  const byPart = new Map<number, Pick<SegmentRow, 'segment' | 'superseded'>[]>();
  for (const [{ segment, part, superseded }, more] of ordinals) {
    const all = new Set([...(superseded === null ? [] : intersect([superseded])), ...more]);
    const row = { segment, superseded: encodeOrdinals([...all].sort((a, b) => a - b)) };
    byPart.set(part, [...(byPart.get(part) ?? []), row]);
  }
  return byPart;
}

/** The number of segments of like size, or of segments that overlap, from which they are merged. */
const MERGED_SEGMENTS = 8;
/** The most small segments that are merged at a time, which bounds memory. */
const MAX_MERGED_SEGMENTS = 16;
/** A segment that is at least so full is not merged with others only because they are small. */
const LARGE = 1 / 2;

/**
 * The segments to merge next; none if there are few. `segments` are in the order of their first entries. Small ones are merged by
 * size class, as a log-structured merge tree does (O'Neil et al., 1996), so that an entry is merged a few times only. Large ones
 * are merged where many overlap.
 */
export function chooseMerge(segments: Iterable<Segment>, limits: IndexLimits): readonly Segment[] {
  const classes = new Map<number, Segment[]>();
  let overlapping: Segment[] = [];
  for (const segment of segments) {
    const fullness = fullnessOf(segment, limits);
    if (fullness < LARGE) {
      const sizeClass = Math.floor(Math.log(fullness * limits.segmentEntries) / Math.log(MERGED_SEGMENTS));
      classes.set(sizeClass, [...(classes.get(sizeClass) ?? []), segment]);
    }
    if (overlapping.length >= MERGED_SEGMENTS) continue;
    overlapping = overlapping.filter(({ last }) => comparePlaces(last, segment.first) >= 0);
    overlapping.push(segment);
  }
  for (const ofClass of classes.values())
    if (ofClass.length >= MERGED_SEGMENTS) return ofClass.slice(0, MAX_MERGED_SEGMENTS);
  return overlapping.length >= MERGED_SEGMENTS ? overlapping : [];
}

/** A list never changes, and to look at 360,000 segments takes .1 s. */
const merges = new WeakMap<SegmentList, readonly Segment[]>();

/** The same for a list that is asked for again and again, always with the same limits. */
export function nextMerge(segments: SegmentList, limits: IndexLimits): readonly Segment[] {
  const merge = merges.get(segments) ?? chooseMerge(segments, limits);
  merges.set(segments, merge);
  return merge;
}

/** How much of what a segment may have it has, in entries or in bytes: about 0 to 1. */
function fullnessOf({ entries, bytes }: Segment, { segmentEntries, segmentBytes }: IndexLimits): number {
  return Math.max(entries / segmentEntries, bytes / segmentBytes);
}

/**
 * Replaces segments of a part by others with the same entries, in order, without those that are not in the list any more. Rejects with
 * `UNAVAILABLE` if others have maintained the part since the view.
 */
export async function mergeSegments(
  { database, known, termsOf, limits, stopping }: Maintained,
  merged: readonly Segment[],
  { segments }: Pick<View, 'segments'>,
  part: PartView,
): Promise<void> {
  const places = new Map<string, Place>();
  for (const segment of merged) {
    // The superseded entries are in a later segment, or not sealed yet.
    const superseded = new Set(segment.superseded === null ? [] : intersect([segment.superseded]));
    (await readPlaces(database, known, segment)).forEach((place, ordinal) => {
      if (!superseded.has(ordinal)) places.set(keyOfPlace(place), place);
    });
  }
  const ordered = [...places.values()].sort(comparePlaces);
  const volumes = new Volumes(segments, limits);
  const added = await buildSegments(database, part, ordered, termsOf, { limits, volumes, stopping });
  await commitMaintained(database, part, { added, replaced: merged });
}

/** All places of a segment. */
async function readPlaces(database: Database, known: KnownPostings, segment: Segment): Promise<Place[]> {
  const ids = Array.from({ length: Math.ceil(segment.entries / CHUNK_ENTRIES) }, (_, n) =>
    nameChunk(segment, n),
  );
  const chunks = await known.readChunks(createLoad(database), ids);
  const places = ids.flatMap((id) => {
    const chunk = chunks.get(id) ?? Buffer.alloc(0);
    return Array.from({ length: placesIn(chunk) }, (_, index) => placeAt(chunk, index));
  });
  if (places.length !== segment.entries)
    throw unavailable(
      new Error(
        `segment ${segment.segment} must have ${segment.entries} entries, but ${places.length} were read`,
      ),
    );
  return places;
}

/**
 * From how long ago entries count as unsealed again in a part that was sealed by a clock that was ahead. Most were sealed before: sealed
 * again, they replace their entries in the earlier segments.
 */
const REOPENED_MS = 3_600_000;

/**
 * Whether a part is sealed up to a moment at which its entries do not have the age yet from which they are sealed: this machine had a wrong
 * clock then, and so had its Cassandra. What was added since the clock was set right would never be sealed, nor be found before that moment.
 */
export function isSealedAhead({ sealedThrough }: PartView, ageMs: number): boolean {
  return sealedThrough > Date.now() - ageMs + MAX_CLOCK_SKEW_MS;
}

/** Lets the entries of the last hour count as unsealed, in a part that is sealed ahead. Rejects with `UNAVAILABLE` if the clock is wrong now. */
export async function reopenPart(database: Database, part: PartView): Promise<void> {
  database.clock.requireRight();
  await commitMaintained(database, part, { added: [], sealedThrough: new Date(Date.now() - REOPENED_MS) });
}
