import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../cassandra/database';
import { createGroupingWriter } from '../writes/grouping-writer';
import type { Entry, Place } from './entry';
import type { Segment } from './segment';
import { writeSegment } from './write-segment';

/** The most entries of a segment that is built from places. */
export const FULL_SEGMENT_ENTRIES = 50_000;
/** Of how many places the terms are found at a time, so that requests in between are answered. */
const PLACES_AT_ONCE = 100;

/** Finds the terms of places; null for a place that is not in the list any more. */
export type TermsOf = (places: readonly Place[]) => Promise<readonly (readonly string[] | null)[]>;

/** Stores segments of entries that are in the order of their list, each place once. They must be committed then. */
export async function writeSegments(
  database: Database,
  list: string,
  entries: readonly Entry[],
  stopping?: AbortSignal,
): Promise<Segment[]> {
  const built: Segment[] = [];
  const writer = createGroupingWriter(database, { stopping });
  // Equal parts, so that no segment is small because it is the last one.
  const number = Math.ceil(entries.length / FULL_SEGMENT_ENTRIES);
  const size = Math.ceil(entries.length / Math.max(1, number));
  for (let n = 0; n < entries.length; n += size)
    built.push(await writeSegment(writer, list, entries.slice(n, n + size)));
  return built;
}

/** Stores segments of the entries of places, which are in the order of their list, each once. */
export async function buildSegments(
  database: Database,
  list: string,
  places: readonly Place[],
  termsOf: TermsOf,
  {
    stopping,
    onProgress,
  }: { stopping?: AbortSignal | undefined; onProgress?: (places: number) => void } = {},
): Promise<Segment[]> {
  const built: Segment[] = [];
  for (let n = 0; n < places.length; n += FULL_SEGMENT_ENTRIES) {
    const entries: Entry[] = [];
    const part = places.slice(n, n + FULL_SEGMENT_ENTRIES);
    for (let m = 0; m < part.length; m += PLACES_AT_ONCE) {
      stopping?.throwIfAborted();
      const some = part.slice(m, m + PLACES_AT_ONCE);
      const terms = await termsOf(some);
      some.forEach((place, index) => {
        const found = terms[index];
        if (found) entries.push({ ...place, terms: found });
      });
      onProgress?.(n + m + some.length);
      await nextTurn();
    }
    if (entries.length > 0) built.push(...(await writeSegments(database, list, entries, stopping)));
  }
  return built;
}
