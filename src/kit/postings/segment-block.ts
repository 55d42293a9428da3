import { LRUCache } from 'lru-cache';
import { laterOf, type Place } from './entry';
import type { Segment } from './segment';

/** How many blocks keep their segments as objects, in all lists together: some 20 MB. */
const MAX_OPEN_BLOCKS = 256;

const openBlocks = new LRUCache<SegmentBlock, readonly Segment[]>({ max: MAX_OPEN_BLOCKS });

/**
 * Segments that follow each other in a list, at least one. They are kept as columns of numbers, because a list may have millions: as
 * objects, they take seven times as much memory. The blocks that were used last also keep them as objects.
 */
export class SegmentBlock {
  readonly length: number;
  readonly first: Pick<Segment, 'segment' | 'first'>;
  /** The last place that one of them has. */
  readonly last: Place;
  /** How many of them each volume has that they are in. */
  readonly volumes: ReadonlyMap<number, number>;
  /** The id of each segment, and those of its first and last entry. */
  private readonly ids: BigInt64Array;
  /** The entries, the bytes, the volume and the part of each segment. */
  private readonly numbers: Int32Array;
  /** The ranks of the first and the last entry of each segment. */
  private readonly ranks: Uint8Array;
  /** The few segments that have bounds or superseded entries, by index. */
  private readonly others = new Map<number, Pick<Segment, 'bounds' | 'superseded'>>();

  /** `segments` are in the order of the list. */
  constructor(segments: readonly Segment[]) {
    const [head] = segments;
    if (head === undefined) throw new Error('A block must have segments, but has none.');
    this.length = segments.length;
    this.first = { segment: head.segment, first: head.first };
    this.ids = new BigInt64Array(3 * this.length);
    this.numbers = new Int32Array(4 * this.length);
    this.ranks = new Uint8Array(2 * this.length);
    const volumes = new Map<number, number>();
    let latest = head.last;
    segments.forEach(({ segment, entries, bytes, volume, part, first, last, bounds, superseded }, index) => {
      this.ids.set([BigInt(segment), BigInt(first.id), BigInt(last.id)], 3 * index);
      this.numbers.set([entries, bytes, volume, part], 4 * index);
      this.ranks.set([first.rank, last.rank], 2 * index);
      if (bounds !== null || superseded !== null) this.others.set(index, { bounds, superseded });
      volumes.set(volume, (volumes.get(volume) ?? 0) + 1);
      latest = laterOf(latest, last);
    });
    this.volumes = volumes;
    this.last = latest;
  }

  /** The segments, in the order of the list. They stay objects for a while. */
  get segments(): readonly Segment[] {
    const segments = openBlocks.get(this) ?? this.open();
    openBlocks.set(this, segments);
    return segments;
  }

  /** The same for a caller that looks at them once: only segments that searches use stay objects. */
  [Symbol.iterator](): Iterator<Segment> {
    return (openBlocks.peek(this) ?? this.open()).values();
  }

  private open(): readonly Segment[] {
    const { ids, numbers, ranks, others } = this;
    const idAt = (at: number) => String(ids[at]);
    return Array.from({ length: this.length }, (_, index) => ({
      segment: idAt(3 * index),
      entries: numbers[4 * index] ?? 0,
      bytes: numbers[4 * index + 1] ?? 0,
      volume: numbers[4 * index + 2] ?? 0,
      part: numbers[4 * index + 3] ?? 0,
      first: { rank: ranks[2 * index] ?? 0, id: idAt(3 * index + 1) },
      last: { rank: ranks[2 * index + 1] ?? 0, id: idAt(3 * index + 2) },
      ...(others.get(index) ?? NOTHING_ELSE),
    }));
  }
}

const NOTHING_ELSE = { bounds: null, superseded: null };
