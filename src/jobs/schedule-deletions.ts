import type { Logger } from 'pino';
import { runEvery, type Repeated } from '../kit/base/run-every';
import { startDueDeletions } from '../write/account/delete-account';
import type { WriteServices } from '../write/write-services';

/** How often it is checked whether deletions of accounts are due. */
const LOOK_EVERY_MS = 5000;

/** Begins the deletions of accounts whose time has come, and those that nobody goes on with. */
export function scheduleDeletions(writeServices: WriteServices, logger: Logger): Repeated {
  const start = () => startDueDeletions(writeServices);
  return runEvery(LOOK_EVERY_MS, start, (error) => {
    logger.warn({ err: error }, 'could not begin deletions of accounts; will try again');
  });
}
