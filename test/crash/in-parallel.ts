/** How many items are worked on at once: enough to keep the servers busy. */
const AT_ONCE = 6;

/** Runs `work` for each item, six at once. */
export async function inParallel<T>(from: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const remaining = [...from].reverse();
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (let next = remaining.pop(); next !== undefined; next = remaining.pop()) await work(next);
  });
  await Promise.all(workers);
}
