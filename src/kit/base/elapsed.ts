/** A moment on both clocks of this machine, in milliseconds. */
export interface Moment {
  /** The moment on the clock of `performance.now()`, which nobody sets. That clock may stand still while a virtual machine is suspended. */
  readonly monotonic: number;
  /** The moment on the clock of the day, which always goes on, but may be set. */
  readonly wall: number;
}

/** This moment. */
export function takeMoment(): Moment {
  return { monotonic: performance.now(), wall: Date.now() };
}

/**
 * Returns how many milliseconds have passed between two moments, until now by default, by whichever clock moved more. A lease, or anything
 * else that lasts for a time, must never seem to last longer here than others think.
 */
export function elapsedSince(since: Moment, until: Moment = takeMoment()): number {
  return Math.max(until.monotonic - since.monotonic, until.wall - since.wall);
}
