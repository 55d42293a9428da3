/** A minute, in milliseconds: more than the clocks of the servers and nodes differ that write. */
const CLOCKS_APART_MS = 60_000;

/**
 * The write time, in microseconds, of a removal of rows that may be dated by a clock ahead of this one: that of another server, or that of the node
 * that coordinated a transaction. What is written to the same rows within the next minute is removed, too.
 */
export function afterOtherClocks(): number {
  return (Date.now() + CLOCKS_APART_MS) * 1000;
}
