import { setTimeout as sleep } from 'node:timers/promises';

/** The least time, in milliseconds, between two groups of calls. */
const PAUSE_MS = 100;

/** When the last group of calls went on, on the clock of `performance.now()`, and the group that waits. */
interface Groups {
  lastAt: number;
  next: Promise<void> | null;
}

const groupsByOwner = new WeakMap<object, Groups>();

/**
 * Gathers calls, so that work which can be shared is shared. Resolves at once if no call of this owner went on in the last 100
 * milliseconds; otherwise when these are over, for all calls until then together.
 */
export async function gathered(owner: object): Promise<void> {
  const groups = groupsByOwner.get(owner) ?? { lastAt: -Infinity, next: null };
  groupsByOwner.set(owner, groups);
  const wait = groups.lastAt + PAUSE_MS - performance.now();
  if (wait <= 0 && groups.next === null) {
    groups.lastAt = performance.now();
    return;
  }
  await (groups.next ??= sleep(Math.max(0, wait)).then(() => {
    groups.lastAt = performance.now();
    groups.next = null;
  }));
}
