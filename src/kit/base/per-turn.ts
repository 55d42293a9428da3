/**
 * Creates a function that returns the same value to all calls of one turn of the event loop. `create` makes the value of a turn; `over` gets it
 * when the turn is over.
 */
export function perTurn<T>(create: () => T, over: (value: T) => void = () => undefined): () => T {
  let current: { readonly value: T } | null = null;
  const end = () => {
    const ended = current;
    current = null;
    if (ended) over(ended.value);
  };
  return () => {
    if (current === null) {
      current = { value: create() };
      setImmediate(end);
    }
    return current.value;
  };
}

const turn = perTurn(
  () => Promise.withResolvers<null>(),
  ({ resolve }) => {
    resolve(null);
  },
);

/**
 * Waits until the event loop has handled what has arrived. The driver writes all statements that it is then given by one system
 * call, which is a good part of the cost of a read, for the server and for Cassandra.
 */
export function endOfTurn(): Promise<unknown> {
  return turn().promise;
}
