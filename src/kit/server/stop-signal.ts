/** Resolves at the first SIGINT or SIGTERM, so that the program can shut down in order; a second one ends it at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.once(name, () => {
        resolve();
      });
    }
  });
}
