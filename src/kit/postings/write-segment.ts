import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RowWriter } from '../writes/row-writer';
import { writeOf } from '../cassandra/write';
import { encodePlaces, measureEntry, type Entry } from './entry';
import { encodeOrdinals, MAX_ORDINALS } from './ordinals';
import type { IndexPart } from './part';
import { termShardOf, postings, segmentEntries, segments, segmentTerms } from './postings.table';
import { CHUNK_ENTRIES, nameBounds, nameChunk, MAX_CHUNKS, type Segment } from './segment';

/** How many terms a row of `segment_terms` has. */
const TERMS_PER_ROW = 1000;
/** After how many terms other work of the server gets its turn. */
const TERMS_PER_TURN = 1000;

/**
 * Stores a segment of a part, which is not read before it is committed. `entries` are in the order of the list, at most 65,536, each place
 * once; `volume` says in which partitions its postings go. The row and the terms of the segment are stored first, so that it can be removed
 * if it is never committed.
 */
export async function writeSegment(
  writer: Pick<RowWriter, 'put' | 'flush'>,
  { list, name, number, of }: IndexPart,
  entries: readonly Entry[],
  volume = 0,
): Promise<Segment> {
  if (entries.length > MAX_ORDINALS)
    throw new Error(`A segment must have at most ${MAX_ORDINALS} entries, but got: ${entries.length}`);
  const segment = newSegmentId();
  const ordinals = ordinalsByTerm(entries);
  const terms = [...ordinals.keys()].sort();
  const bounds = encodePlaces(entries.filter((_, ordinal) => ordinal % CHUNK_ENTRIES === 0));
  // The row of a segment is then an eighth of the size. Servers of a version without parts find bounds in the row only.
  const isDivided = of > 1;
  const built = { ...describe(segment, entries), part: number, volume, bounds: isDivided ? null : bounds };
  const { first, last, bytes } = built;
  await writer.put(
    writeOf(segments, {
      list: name,
      segment,
      changedAt: new Date(),
      size: entries.length,
      volume,
      bytes,
      firstRank: first.rank,
      firstId: first.id,
      lastRank: last.rank,
      lastId: last.id,
      ...(built.bounds && { bounds: built.bounds }),
    }),
  );
  for (let n = 0; n < terms.length; n += TERMS_PER_ROW) {
    const chunk = n / TERMS_PER_ROW;
    await writer.put(writeOf(segmentTerms, { segment, chunk, terms: terms.slice(n, n + TERMS_PER_ROW) }));
  }
  await writer.flush();
  for (let n = 0; n < entries.length; n += CHUNK_ENTRIES) {
    const chunk = nameChunk({ segment }, n / CHUNK_ENTRIES);
    const places = encodePlaces(entries.slice(n, n + CHUNK_ENTRIES));
    await writer.put(writeOf(segmentEntries, { chunk, places }));
  }
  if (isDivided)
    await writer.put(writeOf(segmentEntries, { chunk: nameBounds({ segment }), places: bounds }));
  let put = 0;
  for (const [term, having] of ordinals) {
    const encoded = encodeOrdinals(typeof having === 'number' ? [having] : having);
    const row = { shard: termShardOf(term), list, volume, term, ...first, segment, ordinals: encoded };
    await writer.put(writeOf(postings, row));
    if (++put % TERMS_PER_TURN === 0) await nextTurn();
  }
  await writer.flush();
  return built;
}

/** A random id: servers need not agree on it. */
function newSegmentId(): string {
  return String((randomBytes(8).readBigUInt64BE() >> 1n) & ~BigInt(MAX_CHUNKS - 1));
}

/** The ordinals of the entries that have a term. Most terms have one, which then stands alone: an array for each would double the memory. */
function ordinalsByTerm(entries: readonly Entry[]): Map<string, number | number[]> {
  const found = new Map<string, number | number[]>();
  entries.forEach(({ terms }, ordinal) => {
    for (const term of new Set(terms)) {
      const ordinals = found.get(term);
      if (ordinals === undefined) found.set(term, ordinal);
      else if (typeof ordinals === 'number') found.set(term, [ordinals, ordinal]);
      else ordinals.push(ordinal);
    }
  });
  return found;
}

function describe(segment: string, entries: readonly Entry[]): Omit<Segment, 'part' | 'volume' | 'bounds'> {
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined)
    throw new Error('A segment must have an entry, but has none.');
  return {
    segment,
    entries: entries.length,
    bytes: entries.reduce((sum, entry) => sum + measureEntry(entry), 0),
    first: { rank: first.rank, id: first.id },
    last: { rank: last.rank, id: last.id },
    superseded: null,
  };
}
