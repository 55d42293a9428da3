import { blob, idOf, int, label, optional, staticColumn, text, texts, timestamp } from '../cassandra/column';
import { pageOfMemberStatement } from '../cassandra/page-of-member';
import type { WriteLoad, Parts } from '../cassandra/write-load';
import { cacheable, sliceStatement } from '../cassandra/statement';
import { table, type Row } from '../cassandra/table';

/** The greatest size of a term in bytes: 64 characters and a sign. */
export const MAX_TERM_BYTES = 260;
/** The most terms of an entry. */
export const MAX_ENTRY_TERMS = 512;
/** The most bytes of all terms of an entry together, in UTF-8. */
export const MAX_ENTRY_BYTES = 16_384;
const term = text(MAX_TERM_BYTES);

/** About how many entries a full segment has. */
export const SEGMENT_ENTRIES = 50_000;
/** How many entries a second a part of a list gets before the list is divided into more, and the most parts. */
export const PART_ENTRIES_PER_SECOND = 125;
export const MAX_PARTS = 16;
/** How often a part is sealed at most, however many entries come. */
export const SEALED_EVERY_SECONDS = 5;
/** How many segments are replaced and removed for each sealing: a merge makes one of eight, which is merged with others in turn. */
const REMOVED_PER_SEALING = 8 / 7;

/** The indexes by the act that adds an entry: each is a list of its own. */
export const INDEXED = { words: 'indexed', 'liked tweets': 'likedEntry' } as const;

/** Returns the parts into which a list is divided whose entries an act adds. */
export function indexParts(act: string): Parts {
  return { act, perSecond: PART_ENTRIES_PER_SECOND, most: MAX_PARTS };
}

/** The write loads of a table of the index, one for each list. */
function ofEachList(loadOf: (act: string) => WriteLoad): readonly WriteLoad[] {
  return Object.entries(INDEXED).map(([what, act]) => ({ what, ...loadOf(act) }));
}
/** The id of the row of `segments` that is no segment, but says what has changed. It is the first of its partition. */
export const CHANGES = '0';
/** The most bytes that it has. */
export const MAX_CHANGES_BYTES = 4096;
/** How many segments a volume has. */
export const VOLUME_SEGMENTS = 4000;
/** How many shards the terms of a volume have. A shard has some 10 MB, and up to 50 MB with the commonest words. */
const TERM_SHARDS = 1024;
/** How many rows of postings an entry has: few terms are in many segments. */
const ROWS_PER_ENTRY = 2.5;

/**
 * The entries of a segment that have a term. A row's place is that of the segment's first entry. Many terms share a partition,
 * because most terms of a segment are rare: a partition for each would be a mutation for each. A partition has the rows of one volume,
 * see `Volumes`: otherwise it would grow for ever.
 */
export const postings = table(
  'postings',
  {
    shard: int,
    list: label,
    volume: int,
    term,
    rank: int,
    id: idOf('Entry'),
    segment: idOf('Segment'),
    ordinals: blob(8192),
  },
  {
    writeLoad: ofEachList((act) => ({
      rows: { [act]: ROWS_PER_ENTRY },
      bytes: 75,
      spread: { over: 'nothing', shards: TERM_SHARDS },
      most: (VOLUME_SEGMENTS * SEGMENT_ENTRIES * ROWS_PER_ENTRY) / TERM_SHARDS,
    })),
    partition: ['shard', 'list', 'volume'],
    clustering: ['term', 'rank', 'id', 'segment'],
  },
);

/** The postings of a term from a segment on, or before it. */
export const postingsOfTerm = pageOfMemberStatement(postings, 'term');

/** The shard of a term: its 32-bit FNV-1a hash over UTF-16 code units, modulo the number of shards. */
export function termShardOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < term.length; n++) hash = Math.imul(hash ^ term.charCodeAt(n), 0x01000193);
  return (hash >>> 0) % TERM_SHARDS;
}

/**
 * The segments of a part of a list: see `Part`. `version` changes with each change of the segments, `maintained` whenever entries are sealed or segments
 * merged. Entries that were added up to `sealedThrough` are in segments, later ones in `unsealed_entries`. These three, `parts`, `state` and
 * `superseded` are written by lightweight transactions only.
 */
export const segments = table(
  'segments',
  {
    list: label,
    segment: idOf('Segment'),
    version: staticColumn(optional(label)),
    maintained: staticColumn(optional(label)),
    sealedThrough: staticColumn(optional(timestamp)),
    /** How many parts the list has, in the partition of the first one; one if it is not set. */
    parts: staticColumn(optional(int)),
    /** When it was last divided. */
    dividedAt: staticColumn(optional(timestamp)),
    /** The state of a segment: none while it is being built, then `live`, or `replaced` by other segments. */
    state: optional(label),
    changedAt: optional(timestamp),
    size: optional(int),
    volume: optional(int),
    bytes: optional(int),
    firstRank: optional(int),
    firstId: optional(idOf('Entry')),
    lastRank: optional(int),
    lastId: optional(idOf('Entry')),
    /** The first entry of each chunk, as in `segment_entries`. */
    bounds: optional(blob(2048)),
    /** The ordinals of entries that were added again later, perhaps with other terms. */
    superseded: optional(blob(8192)),
    /** The segments that the last versions have changed, see `readChanges`. Only the row of `CHANGES` has them. */
    changes: optional(text(MAX_CHANGES_BYTES)),
  },
  {
    role: { kind: 'derived', why: 'it is rebuilt with postings' },
    writeLoad: ofEachList((act) => ({
      rows: { [act]: 1 / 65_536 },
      transactions: { [act]: 1 / 5000 },
      // A list of one part needs 1,500, because its rows have the bounds of chunks, but has at most 60,000 rows a year.
      bytes: 180,
      spread: { over: 'nothing', parts: indexParts(act) },
      // Those of a day, which is their gc_grace_seconds.
      mostTombstones: (86_400 / SEALED_EVERY_SECONDS) * REMOVED_PER_SEALING,
      // A server reads what has changed, every ten seconds if entries are many: some sixteen that were merged.
      reads: { everySeconds: 10, most: 20, isSample: true },
    })),
    partition: ['list'],
    clustering: ['segment'],
    order: 'asc',
  },
);

/** A row of `segments`. */
export type SegmentRow = Row<typeof segments>;

/** The version of the segments of a list: its static columns, which a server may keep for a moment. */
export const cachedVersion = cacheable(sliceStatement(segments.page, segments), { absence: true });

/** The entries of segments, 512 in a row. The chunk is the id of the segment plus the number of the chunk. */
export const segmentEntries = table(
  'segment_entries',
  { chunk: idOf('Segment'), places: blob(6144) },
  {
    role: { kind: 'derived', why: 'it is rebuilt with postings' },
    writeLoad: ofEachList((act) => ({ rows: { [act]: 1 / 512 }, bytes: 5000, spread: { over: 'acts' } })),
    partition: ['chunk'],
  },
);

/** The terms of a segment, 1,000 in a row. */
export const segmentTerms = table(
  'segment_terms',
  { segment: idOf('Segment'), chunk: int, terms: texts(1000 * MAX_TERM_BYTES) },
  {
    role: { kind: 'derived', why: 'it is rebuilt with postings' },
    writeLoad: ofEachList((act) => ({
      rows: { [act]: 3 / 1000 },
      bytes: 10_000,
      spread: { over: 'acts' },
      most: 500,
    })),
    partition: ['segment'],
    clustering: ['chunk'],
    order: 'asc',
  },
);

/**
 * The entries of a part of a list that are in no segment yet, by the time when they were added. A slot is ten minutes. The terms are one text (see `joinTerms`):
 * servers read each entry many times, and a list of 500 texts takes a millisecond to decode.
 */
export const unsealedEntries = table(
  'unsealed_entries',
  {
    ...{ slot: int, list: label, at: timestamp, rank: int, id: idOf('Entry') },
    terms: text(MAX_ENTRY_BYTES + MAX_ENTRY_TERMS),
  },
  {
    role: {
      kind: 'derived',
      why: 'it holds what was added to indexes since segments were built, and is rebuilt with postings',
    },
    writeLoad: ofEachList((act) => ({
      rows: { [act]: 1 },
      bytes: 200,
      spread: { over: 'time', seconds: 600, parts: indexParts(act) },
      keptSeconds: 7200,
      // An average: 20 seconds for a list of one part; for others 3, and 50 every 30 seconds.
      reads: { everySeconds: 2, seconds: 6.3 },
    })),
    partition: ['slot', 'list'],
    clustering: ['at', 'rank', 'id'],
    order: 'asc',
  },
);

/** The tables of inverted indexes. */
export const postingsTables = [postings, segments, segmentEntries, segmentTerms, unsealedEntries];
