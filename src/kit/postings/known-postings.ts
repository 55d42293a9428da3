import { LRUCache } from 'lru-cache';
import type { Load } from '../reads/load';
import { bytesOfOrdinals, decodeOrdinals, type Ordinals } from './ordinals';
import { termShardOf, postingsOfTerm, segmentEntries } from './postings.table';
import { compareSegments, nameBounds, type Segment } from './segment';
import type { SegmentChange, SegmentList } from './segment-list';

/** How much memory a server keeps postings and entries in, in bytes each. They never change, so they are kept until others need the room. */
const MAX_BYTES = 64 * 1024 ** 2;

/** How long postings are kept: a read at a low consistency may have missed some. */
const KEPT_MS = 3_600_000;

/** The postings of a term by segment; null if the segment has none. */
export type PostingsOfTerm = ReadonlyMap<string, Ordinals | null>;

/** The postings that are read. */
interface PostingsSlice {
  /** The live segments of the list. */
  readonly segments: SegmentList;
  /** The segment from which on they are read. */
  readonly from: Segment;
  /** Whether they are read against the order of the list. */
  readonly reversed: boolean;
  readonly limit: number;
}

/** The postings that a server knows of the segments of a list. */
export class KnownPostings {
  private readonly byTerm = new LRUCache<string, PostingsOfTerm>({
    maxSize: MAX_BYTES,
    ttl: KEPT_MS,
    noUpdateTTL: true,
  });
  private readonly chunks = new LRUCache<string, Buffer>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ length }) => 200 + length,
  });

  constructor(private readonly list: string) {}

  /** The known postings of a term. */
  of(term: string): PostingsOfTerm {
    return this.byTerm.get(term) ?? NONE;
  }

  /**
   * Reads the postings of a term in the first segments that have some, at most `limit`, of the volume of `from`.
   * Returns what is then known of the term: at least of `from`.
   */
  async read(
    load: Load,
    term: string,
    { segments, from, reversed, limit }: PostingsSlice,
  ): Promise<PostingsOfTerm> {
    const { volume } = from;
    const { rank, id } = from.first;
    const justBefore = String(BigInt(from.segment) + (reversed ? -1n : 1n));
    const after = [rank, id, justBefore];
    const shard = termShardOf(term);
    const key = { shard, list: this.list, volume, term };
    const rows = await load(postingsOfTerm, { ...key, after, reversed, limit });
    const last = rows.length < limit ? undefined : rows.at(-1);
    const found = new Map(rows.map(({ segment, ordinals }) => [segment, ordinals]));
    const known = new Map(this.of(term));
    for (const one of segments.ofVolume(from, reversed)) {
      const { segment } = one;
      // All segments of the volume up to the last row are known now. That row may belong to a segment that is not live any more.
      if (last && compareSegments(one, { first: last, segment: last.segment }) * (reversed ? -1 : 1) > 0)
        break;
      const ordinals = found.get(segment);
      known.set(segment, ordinals === undefined ? null : decodeOrdinals(ordinals));
    }
    this.byTerm.set(term, known, { size: measurePostings(term, known) });
    return known;
  }

  /** Reads chunks of segments, by their ids. */
  async readChunks(load: Load, chunks: Iterable<string>): Promise<ReadonlyMap<string, Buffer>> {
    const read = [...chunks].map(async (chunk): Promise<[string, Buffer]> => {
      const known = this.chunks.get(chunk);
      if (known) return [chunk, known];
      // A copy, because the driver's buffer is a part of a larger one.
      const places = Buffer.from((await load(segmentEntries.get, { chunk }))?.places ?? []);
      if (places.length > 0) this.chunks.set(chunk, places);
      return [chunk, places];
    });
    return new Map(await Promise.all(read));
  }

  /** Reads the first entry of each chunk of a segment; none if the segment was replaced and removed meanwhile. */
  async readBounds(load: Load, segment: Segment): Promise<Buffer> {
    if (segment.bounds !== null) return segment.bounds;
    const id = nameBounds(segment);
    return (await this.readChunks(load, [id])).get(id) ?? Buffer.alloc(0);
  }

  /** Forgets what is known of all terms. */
  clear(): void {
    this.byTerm.clear();
  }

  /**
   * Forgets what is known of segments that are not live any more. A search that began before may store some of it again, which costs memory for an
   * hour at most.
   */
  forget({ removed, added }: SegmentChange): void {
    const gone = new Set(removed.map(({ segment }) => segment));
    for (const { segment } of added) gone.delete(segment);
    if (gone.size === 0) return;
    for (const [term, known] of [...this.byTerm.entries()]) {
      // Iterate over the smaller of the two sets.
      const isKnownGone =
        gone.size < known.size
          ? [...gone].some((segment) => known.has(segment))
          : [...known.keys()].some((segment) => gone.has(segment));
      if (!isKnownGone) continue;
      const kept = new Map([...known].filter(([segment]) => !gone.has(segment)));
      this.byTerm.set(term, kept, { size: measurePostings(term, kept) });
    }
  }
}

const NONE: PostingsOfTerm = new Map();

function measurePostings(term: string, known: PostingsOfTerm): number {
  let bytes = 200 + 2 * term.length;
  for (const ordinals of known.values()) bytes += 100 + (ordinals === null ? 0 : bytesOfOrdinals(ordinals));
  return bytes;
}
