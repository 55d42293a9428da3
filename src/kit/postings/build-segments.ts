import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../cassandra/database';
import { createGroupingWriter } from '../writes/grouping-writer';
import { measureEntry, type Entry, type Place } from './entry';
import { INDEX_LIMITS, type IndexLimits } from './limits';
import type { IndexPart } from './part';
import type { Segment } from './segment';
import type { SegmentList } from './segment-list';
import { Volumes } from './volumes';
import { writeSegment } from './write-segment';

/** The number of places whose terms are found at a time, so that requests in between are answered. */
const PLACES_AT_ONCE = 100;

/** Finds the terms of places; null for a place that is not in the list any more. */
export type TermsOf = (places: readonly Place[]) => Promise<readonly (readonly string[] | null)[]>;

/** Whether entries are enough for a segment. */
export function fillsSegment(
  { entries, bytes }: Pick<Segment, 'entries' | 'bytes'>,
  { segmentEntries, segmentBytes }: IndexLimits,
): boolean {
  return entries >= segmentEntries || bytes >= segmentBytes;
}

/** Divides entries among segments: in groups of about the same size, so that none is small because it is the last one. */
export function splitEntries(entries: readonly Entry[], limits: IndexLimits): Entry[][] {
  const sizes = entries.map(measureEntry);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const number = Math.ceil(Math.max(entries.length / limits.segmentEntries, bytes / limits.segmentBytes));
  const even = {
    ...limits,
    segmentEntries: Math.ceil(entries.length / number),
    segmentBytes: bytes / number,
  };
  const groups: Entry[][] = [];
  let group = { entries: Infinity, bytes: 0 };
  entries.forEach((entry, index) => {
    if (fillsSegment(group, even)) {
      groups.push([]);
      group = { entries: 0, bytes: 0 };
    }
    groups.at(-1)?.push(entry);
    group = { entries: group.entries + 1, bytes: group.bytes + (sizes[index] ?? 0) };
  });
  return groups;
}

/**
 * Stores segments of a part, of entries that are in the order of their list, each place once. They must be committed then. `live` are the segments that
 * the list has.
 */
export async function writeSegments(
  database: Database,
  part: IndexPart,
  live: SegmentList,
  entries: readonly Entry[],
  { stopping, limits = INDEX_LIMITS }: { stopping?: AbortSignal | undefined; limits?: IndexLimits } = {},
): Promise<Segment[]> {
  const built: Segment[] = [];
  const volumes = new Volumes(live, limits);
  const writer = createGroupingWriter(database, { stopping });
  for (const some of splitEntries(entries, limits))
    built.push(await writeSegment(writer, part, some, volumes.next()));
  return built;
}

interface BuildOptions {
  readonly limits: IndexLimits;
  readonly volumes: Volumes;
  readonly stopping?: AbortSignal | undefined;
  readonly onProgress?: (places: number) => void;
}

/**
 * Stores segments of a part with the entries of places, which are in the order of their list, each once. Only the entries of one segment
 * are in memory.
 */
export async function buildSegments(
  database: Database,
  part: IndexPart,
  places: readonly Place[],
  termsOf: TermsOf,
  { limits, volumes, stopping, onProgress }: BuildOptions,
): Promise<Segment[]> {
  const built: Segment[] = [];
  let entries: Entry[] = [];
  let bytes = 0;
  const write = async () => {
    if (entries.length > 0)
      built.push(
        await writeSegment(createGroupingWriter(database, { stopping }), part, entries, volumes.next()),
      );
    entries = [];
    bytes = 0;
  };
  for (let n = 0; n < places.length; n += PLACES_AT_ONCE) {
    stopping?.throwIfAborted();
    const some = places.slice(n, n + PLACES_AT_ONCE);
    const terms = await termsOf(some);
    for (const [index, place] of some.entries()) {
      const found = terms[index];
      if (!found) continue;
      const entry = { ...place, terms: found };
      entries.push(entry);
      bytes += measureEntry(entry);
      if (fillsSegment({ entries: entries.length, bytes }, limits)) await write();
    }
    onProgress?.(n + some.length);
    await nextTurn();
  }
  await write();
  return built;
}
