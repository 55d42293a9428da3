import { getHeapStatistics } from 'node:v8';
import {
  MAX_PARTS,
  PART_ENTRIES_PER_SECOND,
  SEALED_EVERY_SECONDS,
  SEGMENT_ENTRIES,
  VOLUME_SEGMENTS,
} from './postings.table';

/** How much of an index a server holds in memory at a time. */
export interface IndexLimits {
  /** The most entries of a segment. */
  readonly segmentEntries: number;
  /** About the most bytes of a segment's entries, as `measureEntry` counts them. Building it takes some twice as many. */
  readonly segmentBytes: number;
  /** How many segments a volume has: see `Volumes`. */
  readonly volumeSegments: number;
  /** The number of entries from which they are sealed before the oldest is due. */
  readonly dueEntries: number;
  /** How often they are sealed at most before the oldest is due: each removed segment leaves a tombstone, see `segments`. */
  readonly sealedEveryMs: number;
  /** A list is divided further if each of its parts gets more entries in a second. */
  readonly partEntriesPerSecond: number;
  /** The most parts of a list. */
  readonly maxParts: number;
  /** How long a part must get so many entries before the list is divided. */
  readonly dividedAfterMs: number;
  /** After so many milliseconds every server adds entries to the parts that a list was divided into: servers look every ten seconds. */
  readonly settledAfterMs: number;
  /** The most bytes of the tail, as `Tail` counts them. A quarter of it is sealed before the oldest entry is due. */
  readonly tailBytes: number;
}

/** The limits of all indexes; tests have smaller ones. A tail may take a sixteenth of the heap: 96 MB of 1.5 GB. */
export const INDEX_LIMITS: IndexLimits = {
  segmentEntries: SEGMENT_ENTRIES,
  segmentBytes: 64 * 1024 ** 2,
  volumeSegments: VOLUME_SEGMENTS,
  dueEntries: 10_000,
  sealedEveryMs: 1000 * SEALED_EVERY_SECONDS,
  partEntriesPerSecond: PART_ENTRIES_PER_SECOND,
  maxParts: MAX_PARTS,
  dividedAfterMs: 300_000,
  settledAfterMs: 30_000,
  tailBytes: Math.floor(getHeapStatistics().heap_size_limit / 16),
};
