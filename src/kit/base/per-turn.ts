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
 * Waits until the event loop has handled everything that has arrived. The driver then writes all statements that it is given by one system
 * call, which saves a good part of the cost of a read, for the server and for Cassandra.
 */
export function endOfTurn(): Promise<unknown> {
  return turn().promise;
}

/**
 * How many characters of JSON are parsed in a turn of the event loop, unless one text has more. A MiB that is all long numbers takes
 * some 100 ms.
 */
const MAX_PARSED = 128 * 1024;

const parsed = perTurn(() => ({ length: 0 }));

/** The last text that is to be parsed. Each waits for the one before, so that only one looks at each turn, however many wait. */
let last: Promise<void> = Promise.resolve();

/** Waits for a turn of the event loop in which a text of this length may be parsed, so that a request with many long ones does not stop all others. */
export function waitToParse(length: number): Promise<void> {
  last = last.then(async () => {
    while (parsed().length > 0 && parsed().length + length > MAX_PARSED) await endOfTurn();
    parsed().length += length;
  });
  return last;
}
