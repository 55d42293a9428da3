/** How many times all servers together begin a work at one place in a second, at most: as many transactions as a partition takes. */
export const MAX_RUNS_PER_SECOND = 100;

/**
 * How long each of so many servers waits at least between two runs of a work that all of them do at one place, in milliseconds: `leastMs`,
 * or longer if they would otherwise begin more than `MAX_RUNS_PER_SECOND` together.
 */
export function pauseAmong(servers: number, leastMs: number): number {
  return Math.max(leastMs, (servers * 1000) / MAX_RUNS_PER_SECOND);
}
