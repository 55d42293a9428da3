import type { IndexLimits } from './limits';
import { MAX_ADDING_MS, type View } from './view';

/** The length of the time whose entries are counted. It lies so far back that every server knows the entries. */
const COUNTED_MS = 2 * MAX_ADDING_MS;

/** Notices that a list has been too busy for its parts for some minutes. */
export class BusyTime {
  /** The time since which more entries have come than the parts should get; null while they have not. */
  private since: number | null = null;

  constructor(
    private readonly limits: Pick<IndexLimits, 'partEntriesPerSecond' | 'maxParts' | 'dividedAfterMs'>,
  ) {}

  /** Returns the number of parts into which the list is to be divided now; null if it is not. */
  partsNeeded({ parts, tail }: Pick<View, 'parts' | 'tail'>): number | null {
    const { partEntriesPerSecond, maxParts, dividedAfterMs } = this.limits;
    const through = Date.now() - COUNTED_MS;
    const { entries } = tail.between(through - COUNTED_MS, through);
    const needed = entries / (COUNTED_MS / 1000) / partEntriesPerSecond;
    const isBusy = needed > parts.length && parts.length < maxParts;
    this.since = isBusy ? (this.since ?? Date.now()) : null;
    if (this.since === null || Date.now() - this.since < dividedAfterMs) return null;
    this.since = null;
    return Math.min(maxParts, 2 ** Math.ceil(Math.log2(needed)));
  }
}
