/** What tells a program to stop. */
export type StopSignal = 'SIGINT' | 'SIGTERM';

/** Milliseconds in which a repeated signal is the same one: a terminal sends it to all processes, and a starter passes it on. */
const SAME_MS = 1000;

let received: StopSignal | null = null;

/** Resolves to the first SIGINT or SIGTERM, so that the program can shut down in order. A later one ends it at once. */
export function stopSignal(): Promise<StopSignal> {
  return new Promise((resolve) => {
    let receivedAt = 0;
    const onSignal = (name: StopSignal) => {
      if (received === null) {
        received = name;
        receivedAt = performance.now();
        resolve(name);
      } else if (performance.now() - receivedAt > SAME_MS) {
        process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
        process.kill(process.pid, name);
      }
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  });
}

/** Whether a signal has told this process to stop. Only of a program that waits for `stopSignal`. */
export function isStopping(): boolean {
  return received !== null;
}
