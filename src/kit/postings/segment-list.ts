import { countWhile } from '../base/binary-search';
import { comparePlaces, laterOf, type Place } from './entry';
import { SegmentBlock } from './segment-block';
import { compareSegments, type Segment } from './segment';
import type { PlaceSlice } from './tail';

/** The most segments of a block. */
const BLOCK_SEGMENTS = 256;

/** The changes of a list of segments. A changed segment is in both, as it was and as it is. */
export interface SegmentChange {
  readonly removed: readonly Segment[];
  readonly added: readonly Segment[];
}

/**
 * Segments in the order of their first entries. It consists of blocks, of which is known what they have, so that a search skips most of them,
 * and a change makes few of them anew: to look at each of 200,000 segments takes some 50 ms.
 */
export class SegmentList implements Iterable<Segment> {
  readonly length: number;
  private lasts: readonly Place[] | undefined;

  private constructor(readonly blocks: readonly SegmentBlock[]) {
    this.length = blocks.reduce((sum, { length }) => sum + length, 0);
  }

  /** A list of segments, which may come in any order. */
  static of(segments: Iterable<Segment>): SegmentList {
    return new SegmentList(blocksOf([...segments]));
  }

  *[Symbol.iterator](): Iterator<Segment> {
    for (const block of this.blocks) yield* block;
  }

  /** The list after a change. */
  change({ removed, added }: SegmentChange): SegmentList {
    if (this.blocks.length === 0) return SegmentList.of(added);
    const gone = new Set(removed.map(({ segment }) => segment));
    const changed = new Map<number, Segment[]>(removed.map((segment) => [this.findBlock(segment), []]));
    for (const segment of added) {
      const block = this.findBlock(segment);
      const ofBlock = changed.get(block) ?? [];
      changed.set(block, ofBlock);
      ofBlock.push(segment);
    }
    const blocks = this.blocks.flatMap((block, number) => {
      const more = changed.get(number);
      if (more === undefined) return [block];
      return blocksOf([...[...block].filter(({ segment }) => !gone.has(segment)), ...more]);
    });
    return new SegmentList(joinSmall(blocks));
  }

  /** The first segment that passes. */
  first(passes: (segment: Segment) => boolean): Segment | undefined {
    for (const segment of this) if (passes(segment)) return segment;
    return undefined;
  }

  /** The segment with the id and the first place of another one. */
  find(wanted: Pick<Segment, 'segment' | 'first'>): Segment | undefined {
    return this.blocks[this.findBlock(wanted)]?.segments.find(({ segment }) => segment === wanted.segment);
  }

  /** The segments of the volume of one, from that on, in a direction. */
  *ofVolume(from: Segment, reversed: boolean): Iterable<Segment> {
    const step = reversed ? -1 : 1;
    for (let n = this.findBlock(from), block: SegmentBlock | undefined; (block = this.blocks[n]); n += step) {
      if (!block.volumes.has(from.volume)) continue;
      for (const segment of reversed ? block.segments.toReversed() : block.segments)
        if (segment.volume === from.volume && compareSegments(segment, from) * step >= 0) yield segment;
    }
  }

  /** Returns the last place that the blocks up to one have; undefined if there are none. Only searches in reverse ask for it. */
  lastUpTo(block: number): Place | undefined {
    let last: Place | undefined;
    this.lasts ??= this.blocks.map((one) => (last = laterOf(last, one.last)));
    return this.lasts[block];
  }

  /** The number of the block that a segment belongs to. */
  private findBlock(segment: Pick<Segment, 'segment' | 'first'>): number {
    return Math.max(0, countWhile(this.blocks, ({ first }) => compareSegments(first, segment) <= 0) - 1);
  }
}

/** Sorts segments, and divides them into blocks of about the same size. */
function blocksOf(segments: Segment[]): SegmentBlock[] {
  segments.sort(compareSegments);
  const size = Math.ceil(segments.length / Math.ceil(segments.length / BLOCK_SEGMENTS));
  const blocks: SegmentBlock[] = [];
  for (let n = 0; n < segments.length; n += size) blocks.push(new SegmentBlock(segments.slice(n, n + size)));
  return blocks;
}

/** Joins blocks that follow each other if both are small. Otherwise, there would be more and more of them. */
function joinSmall(blocks: readonly SegmentBlock[]): SegmentBlock[] {
  const joined: SegmentBlock[] = [];
  for (const block of blocks) {
    const before = joined.at(-1);
    if (before && before.length + block.length <= BLOCK_SEGMENTS / 2)
      joined.splice(-1, 1, new SegmentBlock([...before, ...block]));
    else joined.push(block);
  }
  return joined;
}

/** The segments that may have entries of a slice, in the direction of reading. They are looked for when they are asked for. */
export class SegmentsAhead {
  private readonly found: Segment[] = [];
  private readonly begins: Place[] = [];
  /** The number of the block that is looked at next. */
  private next: number;

  constructor(
    private readonly list: SegmentList,
    private readonly slice: Pick<PlaceSlice, 'after' | 'reversed'>,
  ) {
    const { after, reversed } = slice;
    const { blocks } = list;
    const begun = after
      ? countWhile(blocks, ({ first }) => comparePlaces(first.first, after) < 0)
      : blocks.length;
    this.next = reversed ? begun - 1 : 0;
  }

  /** The segment with an index; undefined if there are not so many. */
  at(index: number): Segment | undefined {
    while (this.found.length <= index && this.lookOn());
    return this.found[index];
  }

  /** The first place, in the direction of reading, that the segment with an index or a later one may have; undefined if there are not so many. */
  beginAt(index: number): Place | undefined {
    return this.at(index) && this.begins[index];
  }

  /** The segments from an index on, up to another one. */
  between(from: number, to: number): readonly Segment[] {
    this.at(to - 1);
    return this.found.slice(from, to);
  }

  /** Looks at the next block. Returns false if there is none. */
  private lookOn(): boolean {
    const number = this.next;
    const block = this.list.blocks[number];
    if (block === undefined) return false;
    const { after, reversed } = this.slice;
    if (reversed) {
      this.next--;
      const ahead = block.segments.filter(({ first }) => !after || comparePlaces(first, after) < 0);
      let begin = this.list.lastUpTo(number - 1);
      const begins = ahead.map(({ last }) => (begin = laterOf(begin, last)));
      this.found.push(...ahead.toReversed());
      this.begins.push(...begins.reverse());
    } else {
      this.next++;
      const isAhead = ({ last }: Pick<Segment, 'last'>) => !after || comparePlaces(last, after) > 0;
      const ahead = isAhead(block) ? block.segments.filter(isAhead) : [];
      this.found.push(...ahead);
      this.begins.push(...ahead.map(({ first }) => first));
    }
    return true;
  }
}
