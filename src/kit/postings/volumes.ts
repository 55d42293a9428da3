import type { IndexLimits } from './limits';
import type { SegmentList } from './segment-list';

/**
 * Numbers the volumes of a list. The postings of a volume's segments share partitions: a new volume begins when the newest one has
 * `volumeSegments` live segments, so that partitions stay bounded and a rare term is still found by one read for many segments.
 */
export class Volumes {
  private newest = 0;
  private segments = 0;

  constructor(
    live: SegmentList,
    private readonly limits: Pick<IndexLimits, 'volumeSegments'>,
  ) {
    const counts = live.blocks.flatMap(({ volumes }) => [...volumes]);
    for (const [volume] of counts) this.newest = Math.max(this.newest, volume);
    for (const [volume, count] of counts) if (volume === this.newest) this.segments += count;
  }

  /** The volume of the next segment that is built. */
  next(): number {
    if (this.segments >= this.limits.volumeSegments) {
      this.newest++;
      this.segments = 0;
    }
    this.segments++;
    return this.newest;
  }
}
