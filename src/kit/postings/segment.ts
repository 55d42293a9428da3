import { compareIds } from '../base/ids';
import { comparePlaces, countBefore, type Place } from './entry';
import { decodeOrdinals, type Ordinals } from './ordinals';
import type { SegmentRow } from './postings.table';

/** How many entries a chunk of a segment has. */
export const CHUNK_ENTRIES = 512;
/** A segment has fewer chunks than this, and its id is a multiple of it, so that no two chunks have the same id. */
export const MAX_CHUNKS = 256;
/** The number under which the bounds of a segment are stored, as if they were a chunk. */
const BOUNDS_CHUNK = MAX_CHUNKS - 1;

/** Entries of a list that are stored together and do not change any more. They have ordinals in the order of the list. */
export interface Segment {
  readonly segment: string;
  /** The number of the part of the list that it belongs to. */
  readonly part: number;
  readonly entries: number;
  /** The volume in whose partitions its postings are: see `Volumes`. */
  readonly volume: number;
  /** About how much memory its entries took when it was built: see `measureEntry`. */
  readonly bytes: number;
  readonly first: Place;
  readonly last: Place;
  /** The first entry of each chunk, see `encodePlaces`; null if they are stored as a chunk, see `nameBounds`. */
  readonly bounds: Buffer | null;
  /** The ordinals of entries that were added again later; null if there are none. */
  readonly superseded: Ordinals | null;
}

/** The segment of a part that a row describes. */
export function readSegment(row: SegmentRow, part: number): Segment {
  const { segment, size, volume, bytes, firstRank, firstId, lastRank, lastId, bounds, superseded } = row;
  return {
    segment,
    part,
    entries: size ?? 0,
    volume: volume ?? 0,
    bytes: bytes ?? 0,
    first: { rank: firstRank ?? 0, id: firstId ?? '0' },
    last: { rank: lastRank ?? 0, id: lastId ?? '0' },
    bounds,
    superseded: superseded === null ? null : decodeOrdinals(superseded),
  };
}

/** Orders segments, and the rows of a term in `postings`: by the first entry, then by id, which is descending. */
export function compareSegments(
  a: { readonly first: Place; readonly segment: string },
  b: { readonly first: Place; readonly segment: string },
): number {
  return comparePlaces(a.first, b.first) || compareIds(b.segment, a.segment);
}

/** The id of a chunk of a segment. */
export function nameChunk({ segment }: Pick<Segment, 'segment'>, number: number): string {
  return String(BigInt(segment) + BigInt(number));
}

/** The id under which the bounds of a segment are stored. */
export function nameBounds(segment: Pick<Segment, 'segment'>): string {
  return nameChunk(segment, BOUNDS_CHUNK);
}

/** The number of the chunk in which a place is, if the segment with these bounds has it. */
export function findChunkNumber(bounds: Buffer, place: Place): number {
  return Math.max(0, countBefore(bounds, { ...place, id: String(BigInt(place.id) - 1n) }) - 1);
}
