import type { Load } from '../reads/load';
import { comparePlaces, countBefore, placeAt, type Place } from './entry';
import type { KnownPostings } from './known-postings';
import { intersect, ordinalsWithout, type Ordinals } from './ordinals';
import { CHUNK_ENTRIES, findChunkNumber, nameChunk, type Segment } from './segment';
import type { PlaceSlice } from './tail';

const NONE = new Uint16Array();

/** The entries of a segment that have the terms. They are taken in the direction of reading. */
export class SegmentReader {
  /** How many were taken, or come before the slice. */
  taken = 0;
  /** The last place that was taken. */
  last: Place | null = null;
  private isStarted = false;

  constructor(
    private readonly segment: Segment,
    /** The ordinals in the direction of reading. */
    readonly ordinals: Uint16Array,
    /** Whether only some of the terms are known to be there. */
    readonly isUntested: boolean,
    private readonly known: KnownPostings,
    private readonly slice: PlaceSlice,
  ) {}

  /** Takes the next places, at most `limit`. */
  async take(load: Load, limit: number): Promise<readonly Place[]> {
    await this.start(load);
    const ordinals = this.ordinals.subarray(this.taken, this.taken + limit);
    const numberOf = (ordinal: number) => Math.floor(ordinal / CHUNK_ENTRIES);
    const chunkIds = new Map(
      [...new Set(Array.from(ordinals, numberOf))].map((n) => [n, nameChunk(this.segment, n)]),
    );
    const chunks = await this.known.readChunks(load, chunkIds.values());
    this.taken += ordinals.length;
    const places = Array.from(ordinals).flatMap((ordinal) => {
      const chunk = chunks.get(chunkIds.get(numberOf(ordinal)) ?? '');
      // A chunk is missing only if the segment was replaced and removed meanwhile.
      return chunk === undefined || chunk.length === 0 ? [] : [placeAt(chunk, ordinal % CHUNK_ENTRIES)];
    });
    this.last = places.at(-1) ?? this.last;
    return places;
  }

  /** Skips what comes before the slice. */
  private async start(load: Load): Promise<void> {
    const { after, reversed } = this.slice;
    if (this.isStarted || after === undefined) return;
    this.isStarted = true;
    const { first, last } = this.segment;
    if (reversed ? comparePlaces(after, last) > 0 : comparePlaces(after, first) < 0) return;
    const number = findChunkNumber(await this.known.readBounds(load, this.segment), after);
    const id = nameChunk(this.segment, number);
    const chunk = (await this.known.readChunks(load, [id])).get(id) ?? Buffer.alloc(0);
    const ordinal = number * CHUNK_ENTRIES + countBefore(chunk, after);
    const index = this.ordinals.findIndex((one) => (reversed ? one < ordinal : one >= ordinal));
    this.taken = index < 0 ? this.ordinals.length : index;
  }
}

/**
 * The entries of a segment that have all terms, by the sets of the terms. If some sets are unknown, null, unless the others
 * leave at most `maxTested` entries.
 */
export function openSegment(
  segment: Segment,
  sets: readonly (Ordinals | null | undefined)[],
  maxTested: number,
  known: KnownPostings,
  slice: PlaceSlice,
): SegmentReader | null {
  if (sets.includes(null)) return new SegmentReader(segment, NONE, false, known, slice);
  const given = sets.filter((set) => set != null);
  const isUntested = given.length < sets.length;
  if (isUntested && (given.length === 0 || maxTested === 0)) return null;
  const common = intersect(given);
  if (isUntested && common.length > maxTested) return null;
  const ordinals = segment.superseded === null ? common : ordinalsWithout(common, segment.superseded);
  return new SegmentReader(
    segment,
    slice.reversed ? ordinals.toReversed() : ordinals,
    isUntested,
    known,
    slice,
  );
}

/** The places of the first entries of a segment that are in a set, at most `max`. */
export function firstPlaces(
  load: Load,
  segment: Segment,
  set: Ordinals | null | undefined,
  known: KnownPostings,
  max: number,
): Promise<readonly Place[]> {
  const slice = { reversed: false, limit: max };
  return openSegment(segment, [set ?? null], 0, known, slice)?.take(load, max) ?? Promise.resolve([]);
}
