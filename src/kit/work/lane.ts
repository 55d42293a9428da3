/**
 * How many tasks of each lane a server runs at once. The tasks of a lane wait only for each other:
 * - `short`: some thousand rows at most.
 * - `long`: up to some ten thousand rows: seconds. Chunks of long work are such tasks.
 * - `growing`: the more is stored, the more there is to do: minutes. Such tasks have checkpoints.
 */
const LANE_SIZES = { short: 8, long: 4, growing: 2 } as const;

/** A lane of tasks. */
export type LaneName = keyof typeof LANE_SIZES;

/** The lanes of a server. */
export type Lanes = Readonly<Record<LaneName, Lane>>;

/** All lanes. */
export const LANES: readonly LaneName[] = ['short', 'long', 'growing'];

/** Creates the lanes of a server. */
export function createLanes(): Lanes {
  const { short, long, growing } = LANE_SIZES;
  return { short: createLane(short), long: createLane(long), growing: createLane(growing) };
}

/** The room for tasks of one sort. The tasks of one person have at most half of it, so that nobody's work fills a lane. */
export interface Lane {
  /** Resolves when there is room for a task: for those of one person, and for those of nobody, in the order of the calls. */
  take(person?: string): Promise<void>;
  /** Takes room at once, even if there is none, for a task that goes on after it has waited outside. */
  retake(person?: string): void;
  /** Gives back the room of a task of the same person. */
  release(person?: string): void;
  /** For how many more tasks there is room at once. */
  free(): number;
}

/** Creates a lane with room for `size` tasks. */
export function createLane(size: number): Lane {
  const mostOfOne = Math.max(1, Math.floor(size / 2));
  let free = size;
  const waiting: { readonly person: string | undefined; readonly resolve: () => void }[] = [];
  const running = new Map<string, number>();
  const hasRoom = (person: string | undefined) =>
    free > 0 && (person === undefined || (running.get(person) ?? 0) < mostOfOne);
  const enter = (person: string | undefined) => {
    free--;
    if (person !== undefined) running.set(person, (running.get(person) ?? 0) + 1);
  };
  return {
    async take(person) {
      if (hasRoom(person)) enter(person);
      else await new Promise<void>((resolve) => waiting.push({ person, resolve }));
    },
    retake: enter,
    release(person) {
      // Below zero, those that went on without room give back what they took.
      free++;
      const others = person === undefined ? 0 : (running.get(person) ?? 0) - 1;
      if (person !== undefined) {
        if (others > 0) running.set(person, others);
        else running.delete(person);
      }
      const next = waiting.findIndex((one) => hasRoom(one.person));
      const [admitted] = next < 0 ? [] : waiting.splice(next, 1);
      if (admitted === undefined) return;
      enter(admitted.person);
      admitted.resolve();
    },
    free: () => Math.max(0, free),
  };
}
