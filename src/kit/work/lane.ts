import { createFairSemaphore, type FairSemaphore } from '../base/fair-semaphore';

/**
 * How many tasks of each lane a server runs at once. The tasks of a lane wait only for each other:
 * - `short`: some thousand rows at most.
 * - `long`: up to some ten thousand rows: seconds. Chunks of long work are such tasks.
 * - `growing`: the more is stored, the more there is to do: minutes. At each checkpoint, such a task lets others go on.
 */
export const LANE_SIZES = { short: 8, long: 4, growing: 2 } as const;

/** A lane of tasks. */
export type LaneName = keyof typeof LANE_SIZES;

/** The lanes of a server. People take turns in a lane, and the tasks of one have at most half of it, so that nobody's work fills it. */
export type Lanes = Readonly<Record<LaneName, FairSemaphore>>;

/** All lanes. */
export const LANES: readonly LaneName[] = ['short', 'long', 'growing'];

/** Creates the lanes of a server. */
export function createLanes(): Lanes {
  const { short, long, growing } = LANE_SIZES;
  return { short: createLane(short), long: createLane(long), growing: createLane(growing) };
}

function createLane(size: number): FairSemaphore {
  return createFairSemaphore(size, Math.max(1, Math.floor(size / 2)));
}
