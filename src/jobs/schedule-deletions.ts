import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { startDueDeletions } from '../write/account/delete-account';
import type { WriteServices } from '../write/write-services';

/** How often it is checked whether deletions of accounts are due. */
const LOOK_EVERY_MS = 5000;

/** Begins the deletions of accounts whose time has come, and those that nobody goes on with. */
export function scheduleDeletions(
  writeServices: WriteServices,
  logger: Logger,
): { stop(this: void): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const looking = (async () => {
    while (!signal.aborted) {
      await startDueDeletions(writeServices).catch((error: unknown) => {
        if (!signal.aborted)
          logger.warn({ err: error }, 'could not begin deletions of accounts; will try again');
      });
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await looking;
    },
  };
}
