import type { IndexLimits } from './limits';
import type { Segment } from './segment';

/**
 * Numbers the volumes of a list. The postings of a volume's segments share partitions: a new volume begins when the newest one has
 * `volumeSegments` live segments, so that partitions stay bounded and a rare term is still found by one read for many segments.
 */
export class Volumes {
  private newest = 0;
  private segments = 0;

  constructor(
    live: readonly Pick<Segment, 'volume'>[],
    private readonly limits: Pick<IndexLimits, 'volumeSegments'>,
  ) {
    this.newest = live.reduce((newest, { volume }) => Math.max(newest, volume), 0);
    this.segments = live.filter(({ volume }) => volume === this.newest).length;
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
