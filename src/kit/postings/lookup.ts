import { countWhile } from '../base/binary-search';
import type { Load } from '../reads/load';
import { comparePlaces, countBefore, keyOfPlace, placeAt, placesIn, type Place } from './entry';
import type { KnownPostings } from './known-postings';
import { CHUNK_ENTRIES, findChunkNumber, nameChunk, type Segment } from './segment';

/** Where an entry is: its segment, and its ordinal there. */
export interface EntryLocation {
  readonly segment: Segment;
  readonly ordinal: number;
}

/** Finds the segments that have entries at given places. Places that no segment has are left out. */
export async function locateEntries(
  load: Load,
  known: KnownPostings,
  segments: readonly Segment[],
  places: readonly Place[],
): Promise<ReadonlyMap<string, readonly EntryLocation[]>> {
  const found = new Map<string, EntryLocation[]>();
  const sorted = places.toSorted(comparePlaces);
  for (const segment of segments) {
    const from = countWhile(sorted, (place) => comparePlaces(place, segment.first) < 0);
    const to = countWhile(sorted, (place) => comparePlaces(place, segment.last) <= 0);
    const within = sorted.slice(from, to);
    if (within.length === 0) continue;
    const bounds = await known.readBounds(load, segment);
    const numbers = within.map((place) => findChunkNumber(bounds, place));
    const ids = new Map([...new Set(numbers)].map((number) => [number, nameChunk(segment, number)]));
    const chunks = await known.readChunks(load, ids.values());
    within.forEach((place, index) => {
      const number = numbers[index] ?? 0;
      const chunk = chunks.get(ids.get(number) ?? '') ?? Buffer.alloc(0);
      const at = countBefore(chunk, place);
      if (at >= placesIn(chunk) || comparePlaces(placeAt(chunk, at), place) !== 0) return;
      const location = { segment, ordinal: number * CHUNK_ENTRIES + at };
      const key = keyOfPlace(place);
      found.set(key, [...(found.get(key) ?? []), location]);
    });
  }
  return found;
}
