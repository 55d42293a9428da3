import type { Logger } from 'pino';
import { runEvery, type Repeated } from '../../kit/base/run-every';
import type { Database } from '../../kit/cassandra/database';
import { takeLease } from '../../kit/writes/lease';
import { createLoad } from '../../kit/reads/load';
import { snapshotAt } from '../../features/ranking/snapshots';
import { RANKINGS, takeRankings } from './take-rankings';

/** How often it is checked whether rankings are due. */
const LOOK_EVERY_MS = 10_000;

/**
 * Starts to take rankings whenever there are none or the last ones are `everyMinutes` old. If that is 0, none are taken. Of several
 * servers, the first one does it, and when it is stopped, another one can continue. A failure is logged, and the rankings are tried again.
 */
export function scheduleRankings(database: Database, everyMinutes: number, logger: Logger): Repeated {
  const everyMs = everyMinutes * 60_000;
  const areDue = async () => {
    if (everyMinutes === 0) return false;
    const last = await snapshotAt(createLoad(database), new Date());
    return last === null || Date.now() - Number(last.takenAt) >= everyMs;
  };
  const look = async (stopping: AbortSignal) => {
    const lease = (await areDue()) ? await takeLease(database, RANKINGS) : null;
    try {
      // Another server may have taken rankings before this one got the lease.
      if (lease === null || !(await areDue())) return;
      const { takenAt, accounts, followers } = await takeRankings({ database, everyMs, stopping }, lease);
      logger.info({ takenAt, accounts: accounts.length, followers: followers.length }, 'rankings taken');
    } finally {
      await lease?.release();
    }
  };
  return runEvery(LOOK_EVERY_MS, look, (error) => {
    logger.warn({ err: error }, 'could not take rankings; will try again');
  });
}
