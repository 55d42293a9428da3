/** Creates a semaphore with `atOnce` permits, first come first served. The function that it resolves to gives the permit back. */
export function createSemaphore(atOnce: number): () => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let taken = 0;
  const giveBack = () => {
    const next = waiting.shift();
    if (next) next();
    else taken--;
  };
  return async () => {
    if (taken < atOnce) taken++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return giveBack;
  };
}
