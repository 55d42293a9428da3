/**
 * Milliseconds within which a new row must be in its list, counted from the time in its id. If it took longer, its writer records
 * a late arrival.
 */
export const MAX_ROW_DELAY_MS = 10_000;

/**
 * Milliseconds by which a watcher looks back each time it reads its list again: rows come into a list in another order than that
 * of their ids. More than `MAX_ROW_DELAY_MS`, because the clocks of two servers may differ.
 */
export const LOOK_BACK_MS = 15_000;
