/** An hour, in milliseconds: more than the clocks of two servers ever differ. */
const MAX_CLOCK_SKEW_MS = 3_600_000;

/**
 * The write time of a permanent removal, in microseconds. It is later than any write of the same row that may still come:
 * from a server whose clock is ahead, or one that was delayed.
 */
export function finalTime(createdAt: Date): number {
  return (Math.max(Date.now(), Number(createdAt)) + MAX_CLOCK_SKEW_MS) * 1000;
}
