/** Creates turns, of which only some may be taken at once, first come first served. A turn is given back by the function that it resolves to. */
export function createTurns(atOnce: number): () => Promise<() => void> {
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
