/** How many at once: enough to keep two servers busy. */
const AT_ONCE = 6;

/** Does something with each of some, a few at once. */
export async function inParallel<T>(from: Iterable<T>, work: (one: T) => Promise<void>): Promise<void> {
  const left = [...from].reverse();
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await work(next);
  });
  await Promise.all(workers);
}
