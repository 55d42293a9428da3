import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Write } from '../cassandra/database';
import type { RowWriter } from '../writes/row-writer';
import { writeOf } from '../cassandra/write';
import { encodePlaces, type Entry } from './entry';
import { encodeOrdinals, MAX_ORDINALS } from './ordinals';
import {
  termShardOf,
  postings,
  segmentEntries,
  segments,
  segmentTerms,
  type SegmentRow,
} from './postings.table';
import { CHUNK_ENTRIES, nameChunk, MAX_CHUNKS, type Segment } from './segment';

/** How many terms a row of `segment_terms` has. */
const TERMS_PER_ROW = 1000;
/** After how many terms other work of the server gets its turn. */
const TERMS_PER_TURN = 1000;

/** A change of the segments of a list. */
interface Commit {
  /** The segments that become live. */
  readonly added: readonly Pick<Segment, 'segment'>[];
  /** The segments that others have replaced. */
  readonly replaced?: readonly Pick<Segment, 'segment'>[];
  /** Up to when the entries that were added are in segments; unchanged when not given. */
  readonly sealedThrough?: Date;
  /** New values of `superseded`. */
  readonly superseded?: readonly Pick<SegmentRow, 'segment' | 'superseded'>[];
}

/** How many rows of `segments` one batch changes at most. */
const MAX_COMMITTED_ROWS = 200;

/**
 * Changes the segments of a list. Segments are added before others are removed: a list that has an entry twice shows it once,
 * so nothing is missing in between, and nothing is wrong if the server is killed in between.
 */
export async function commitSegments(
  database: Database,
  list: string,
  { added, replaced = [], sealedThrough, superseded = [] }: Commit,
): Promise<void> {
  const changedAt = new Date();
  const rows = [
    ...superseded.map((row) => writeOf(segments, { list, ...row })),
    ...added.map(({ segment }) => writeOf(segments, { list, segment, state: 'live', changedAt })),
    ...replaced.map(({ segment }) => writeOf(segments, { list, segment, state: 'replaced', changedAt })),
  ];
  for (let n = 0; n < Math.max(1, rows.length); n += MAX_COMMITTED_ROWS) {
    const isLast = n + MAX_COMMITTED_ROWS >= rows.length;
    await database.batch([
      ...rows.slice(n, n + MAX_COMMITTED_ROWS),
      versionWrite(list, isLast ? sealedThrough : undefined),
    ]);
  }
}

const setVersion = 'UPDATE segments SET version = ? WHERE list = ?';
const setSealed = 'UPDATE segments SET version = ?, sealed_through = ? WHERE list = ?';

/** A new version of the segments of a list. */
function versionWrite(list: string, sealedThrough: Date | undefined): Write {
  const version = randomBytes(8).toString('hex');
  return sealedThrough === undefined
    ? { query: setVersion, params: [version, list], partition: list }
    : { query: setSealed, params: [version, sealedThrough, list], partition: list };
}

/**
 * Stores a segment, which is not read before it is committed. `entries` are in the order of the list, at most 65,536, each
 * place once. What the segment consists of is stored first, so that it can be removed if it is never committed.
 */
export async function writeSegment(
  writer: Pick<RowWriter, 'put' | 'flush'>,
  list: string,
  entries: readonly Entry[],
): Promise<Segment> {
  if (entries.length > MAX_ORDINALS)
    throw new Error(`A segment must have at most ${MAX_ORDINALS} entries, but got: ${entries.length}`);
  const segment = newSegmentId();
  const ordinals = ordinalsByTerm(entries);
  const terms = [...ordinals.keys()].sort();
  const built = describe(segment, entries);
  const { first, last, bounds } = built;
  await writer.put(
    writeOf(segments, {
      list,
      segment,
      state: 'building',
      changedAt: new Date(),
      size: entries.length,
      firstRank: first.rank,
      firstId: first.id,
      lastRank: last.rank,
      lastId: last.id,
      bounds,
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
  let put = 0;
  for (const [term, having] of ordinals) {
    const row = { shard: termShardOf(term), list, term, ...first, segment, ordinals: encodeOrdinals(having) };
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

function ordinalsByTerm(entries: readonly Entry[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  entries.forEach(({ terms }, ordinal) => {
    for (const term of new Set(terms)) {
      const ordinals = found.get(term);
      if (ordinals) ordinals.push(ordinal);
      else found.set(term, [ordinal]);
    }
  });
  return found;
}

function describe(segment: string, entries: readonly Entry[]): Segment {
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined)
    throw new Error('A segment must have an entry, but has none.');
  return {
    segment,
    entries: entries.length,
    first: { rank: first.rank, id: first.id },
    last: { rank: last.rank, id: last.id },
    bounds: encodePlaces(entries.filter((_, ordinal) => ordinal % CHUNK_ENTRIES === 0)),
    superseded: null,
  };
}
