type StopSignal = 'SIGINT' | 'SIGTERM';

let received: StopSignal | null = null;

/** Resolves to the first SIGINT or SIGTERM, so that the program can shut down in order; the same one again ends it at once. */
export function stopSignal(): Promise<StopSignal> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const)
      process.once(name, () => {
        received ??= name;
        resolve(name);
      });
  });
}

/** Whether a signal has told this process to stop. Only of a program that waits for `stopSignal`. */
export function isStopping(): boolean {
  return received !== null;
}
