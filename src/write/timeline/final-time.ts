/** An hour, in milliseconds: more than the clocks of servers ever differ. */
const MAX_CLOCK_SKEW_MS = 3_600_000;

/**
 * As of when, in microseconds, something is removed for good: later than whatever could still be written of it, by
 * servers whose clocks are ahead and by writes that were held up.
 */
export function finalTime(createdAt: Date): number {
  return (Math.max(Date.now(), Number(createdAt)) + MAX_CLOCK_SKEW_MS) * 1000;
}
