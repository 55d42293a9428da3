let turn: Promise<void> | undefined;

/**
 * Waits until the event loop has handled what has arrived. The driver writes all statements that it is then given by one system
 * call, which is a good part of the cost of a read, for the server and for Cassandra.
 */
export function endOfTurn(): Promise<void> {
  return (turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  }));
}
