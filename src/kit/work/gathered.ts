import { setTimeout as sleep } from 'node:timers/promises';

/** The least time, in milliseconds, between two groups of calls. */
const PAUSE_MS = 100;

const nextByOwner = new WeakMap<object, { at: number; turn: Promise<void> | null }>();

/**
 * Gathers calls, so that work which can be shared is shared: resolves at once for a call that comes long after the last
 * group, and otherwise for all calls of the next 100 milliseconds together.
 */
export async function gathered(owner: object): Promise<void> {
  let next = nextByOwner.get(owner);
  if (next === undefined) nextByOwner.set(owner, (next = { at: -Infinity, turn: null }));
  const wait = next.at + PAUSE_MS - performance.now();
  if (wait <= 0 && next.turn === null) {
    next.at = performance.now();
    return;
  }
  const group = next;
  await (group.turn ??= sleep(Math.max(0, wait)).then(() => {
    group.at = performance.now();
    group.turn = null;
  }));
}
