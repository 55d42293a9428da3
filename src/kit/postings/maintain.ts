import { unavailable } from '../base/errors';
import type { Database } from '../cassandra/database';
import { createLoad } from '../reads/load';
import { buildSegments, FULL_SEGMENT_ENTRIES, writeSegments, type TermsOf } from './build-segments';
import { comparePlaces, keyOfPlace, placeAt, placesIn, type Entry, type Place } from './entry';
import type { KnownPostings } from './known-postings';
import { locateEntries } from './lookup';
import { encodeOrdinals, intersect } from './ordinals';
import { nameChunk, CHUNK_ENTRIES, type Segment } from './segment';
import { readUnsealed, type View } from './view';
import { commitSegments } from './write-segment';

/** What maintaining a list needs. */
export interface Maintained {
  readonly database: Database;
  readonly list: string;
  readonly known: KnownPostings;
  readonly termsOf: TermsOf;
  /** Rejects if the work may not be committed, because another server has taken it over. */
  readonly confirm: () => Promise<void>;
  readonly stopping?: AbortSignal | undefined;
}

/**
 * Moves the entries that were added up to a moment into segments. If a segment already has one of them, the
 * entry there is marked as superseded, because its terms may have changed. Resolves to the number of entries.
 */
export async function sealEntries(
  { database, list, known, confirm, stopping }: Maintained,
  { segments, sealedThrough }: View,
  through: number,
): Promise<number> {
  const latest = new Map<string, Entry & { readonly at: number }>();
  for (const entry of await readUnsealed(database, list, sealedThrough + 1, through)) {
    const before = latest.get(keyOfPlace(entry));
    if (before === undefined || before.at < entry.at) latest.set(keyOfPlace(entry), entry);
  }
  const entries = [...latest.values()].sort(comparePlaces);
  const superseded = await supersededBy(database, known, segments, entries);
  const added = await writeSegments(database, list, entries, stopping);
  await confirm();
  await commitSegments(database, list, { added, superseded, sealedThrough: new Date(through) });
  return entries.length;
}

async function supersededBy(
  database: Database,
  known: KnownPostings,
  segments: readonly Segment[],
  places: readonly Place[],
) {
  const ordinals = new Map<Segment, number[]>();
  const located = await locateEntries(createLoad(database), known, segments, places);
  for (const { segment, ordinal } of [...located.values()].flat())
    ordinals.set(segment, [...(ordinals.get(segment) ?? []), ordinal]);
  return [...ordinals].map(([{ segment, superseded }, more]) => {
    const all = new Set([...(superseded === null ? [] : intersect([superseded])), ...more]);
    return { segment, superseded: encodeOrdinals([...all].sort((a, b) => a - b)) };
  });
}

/** So many segments of like size, or so many that overlap, are merged. */
const MERGED_SEGMENTS = 8;
/** The most small segments that are merged at a time, which bounds memory. */
const MAX_MERGED_SEGMENTS = 16;
/** A segment of at least so many entries is not merged with others only because they are small. */
const LARGE_SEGMENT_ENTRIES = FULL_SEGMENT_ENTRIES / 2;

/**
 * The segments to merge next; none if there are few. `segments` are in the order of their first entries. Small ones are merged by
 * size class, as a log-structured merge tree does (O'Neil et al., 1996), so that an entry is merged a few times only. Large ones
 * are merged where many overlap.
 */
export function chooseMerge(segments: readonly Segment[]): readonly Segment[] {
  const classes = new Map<number, Segment[]>();
  for (const segment of segments) {
    if (segment.entries >= LARGE_SEGMENT_ENTRIES) continue;
    const sizeClass = Math.floor(Math.log(segment.entries) / Math.log(MERGED_SEGMENTS));
    classes.set(sizeClass, [...(classes.get(sizeClass) ?? []), segment]);
  }
  for (const ofClass of classes.values())
    if (ofClass.length >= MERGED_SEGMENTS) return ofClass.slice(0, MAX_MERGED_SEGMENTS);
  let overlapping: Segment[] = [];
  for (const segment of segments) {
    overlapping = overlapping.filter(({ last }) => comparePlaces(last, segment.first) >= 0);
    overlapping.push(segment);
    if (overlapping.length >= MERGED_SEGMENTS) return overlapping;
  }
  return [];
}

/** Replaces segments by others with the same entries, in order, without those that are not in the list any more. */
export async function mergeSegments(
  { database, list, known, termsOf, confirm, stopping }: Maintained,
  merged: readonly Segment[],
): Promise<void> {
  const places = new Map<string, Place>();
  for (const segment of merged)
    for (const place of await readPlaces(database, known, segment)) places.set(keyOfPlace(place), place);
  const ordered = [...places.values()].sort(comparePlaces);
  const added = await buildSegments(database, list, ordered, termsOf, { stopping });
  await confirm();
  await commitSegments(database, list, { added, replaced: merged });
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
