import { isOneOfSeveral } from './each-process';

type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

let received: StopSignal | null = null;

/**
 * Resolves to the first SIGINT, SIGTERM or SIGHUP (a closed terminal), so that the program can shut down in order; SIGINT or SIGTERM again ends
 * it at once. A terminal may send SIGHUP twice. One of several server processes may be told twice, by a signal to the whole group and by the
 * process that started it, so only the end of that one ends it at once.
 */
export function stopSignal(): Promise<StopSignal> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process[isOneOfSeveral || name === 'SIGHUP' ? 'on' : 'once'](name, () => {
        received ??= name;
        resolve(name);
      });
  });
}

/** Whether a signal has told this process to stop. It is always false in a program that does not wait for `stopSignal`. */
export function isStopping(): boolean {
  return received !== null;
}
