/** A moment on both clocks of this machine, in milliseconds. */
export interface Moment {
  /** On the clock of `performance.now()`, which nobody sets. It may stand still while a virtual machine is suspended. */
  readonly monotonic: number;
  /** On the clock of the day, which goes on, but may be set. */
  readonly wall: number;
}

/** This moment. */
export function takeMoment(): Moment {
  return { monotonic: performance.now(), wall: Date.now() };
}

/**
 * How many milliseconds have passed between two moments, until now by default, by whichever clock moved more: what lasts for a time,
 * such as a lease, must never seem to last longer than others think.
 */
export function elapsedSince(since: Moment, until: Moment = takeMoment()): number {
  return Math.max(until.monotonic - since.monotonic, until.wall - since.wall);
}
