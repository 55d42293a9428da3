/** How many times all servers together begin a work at one place in a second, at most: as many transactions as a partition takes. */
export const MAX_RUNS_PER_SECOND = 100;

/** How many rows of one partition all servers together read in a second at most, again and again: about what three nodes read. */
export const MAX_ROWS_READ_PER_SECOND = 300_000;

/**
 * How long each of so many servers waits at least between two runs of a work that all of them do at one place, in milliseconds: `minMs`,
 * or longer if they would otherwise begin more than `MAX_RUNS_PER_SECOND` together.
 */
export function pauseAmong(servers: number, minMs: number): number {
  return Math.max(minMs, (servers * 1000) / MAX_RUNS_PER_SECOND);
}

/**
 * How long each of so many servers waits between two reads of a partition that has a row of each of them, in milliseconds: `minMs`, or longer if they
 * would otherwise read more than `MAX_ROWS_READ_PER_SECOND` together.
 */
export function pauseOfReaders(servers: number, minMs: number): number {
  return Math.max(minMs, (servers ** 2 * 1000) / MAX_ROWS_READ_PER_SECOND);
}
