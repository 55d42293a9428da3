import { countWhile } from '../base/binary-search';
import type { Load } from '../reads/load';
import { comparePlaces, countBefore, keyOfPlace, placeAt, placesIn, type Place } from './entry';
import type { KnownPostings } from './known-postings';
import { CHUNK_ENTRIES, findChunkNumber, nameChunk, type Segment } from './segment';
import type { SegmentList } from './segment-list';

/** The segment of an entry, and its ordinal there. */
export interface EntryLocation {
  readonly segment: Segment;
  readonly ordinal: number;
}

/** Finds the segments that have entries at given places. Places that no segment has are left out. */
export async function locateEntries(
  load: Load,
  known: KnownPostings,
  segments: SegmentList,
  places: readonly Place[],
): Promise<ReadonlyMap<string, readonly EntryLocation[]>> {
  const found = new Map<string, EntryLocation[]>();
  for (const [segment, within] of segmentsAround(segments, places.toSorted(comparePlaces))) {
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

/** The segments between whose first and last places some of the given ones are, each with these. */
function* segmentsAround(
  { blocks }: SegmentList,
  sorted: readonly Place[],
): Iterable<readonly [Segment, readonly Place[]]> {
  let next = 0;
  /** Whether some are between two places, of which the first is not before the one that was asked for last. */
  const hasSome = (first: Place, last: Place) => {
    let place: Place | undefined;
    while ((place = sorted[next]) !== undefined && comparePlaces(place, first) < 0) next++;
    return place !== undefined && comparePlaces(place, last) <= 0;
  };
  for (const block of blocks) {
    if (!hasSome(block.first.first, block.last)) continue;
    for (const segment of block.segments) {
      const { first, last } = segment;
      if (!hasSome(first, last)) continue;
      const end = countWhile(sorted, (place) => comparePlaces(place, last) <= 0);
      yield [segment, sorted.slice(next, end)];
    }
  }
}
