import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../kit/cassandra/database';
import { takeLease } from '../../kit/writes/lease';
import { createLoad } from '../../kit/reads/load';
import { snapshotAt } from '../../features/ranking/snapshots';
import { RANKINGS, takeRankings } from './take-rankings';

/** How often it is checked whether rankings are due. */
const LOOK_EVERY_MS = 10_000;

/** Takes rankings periodically; of several servers, the first one does it. */
interface Schedule {
  /** Stops. Another server can continue rankings that are being taken. */
  stop(this: void): Promise<void>;
}

/**
 * Starts to take rankings whenever there are none or the last ones are `everyMinutes` old. If that is 0, none are taken.
 * A failure is logged, and the rankings are tried again.
 */
export function scheduleRankings(database: Database, everyMinutes: number, logger: Logger): Schedule {
  const stopping = new AbortController();
  const { signal } = stopping;
  const everyMs = everyMinutes * 60_000;
  const areDue = async () => {
    const last = await snapshotAt(createLoad(database), new Date());
    return last === null || Date.now() - Number(last.takenAt) >= everyMs;
  };
  const look = async () => {
    const lease = (await areDue()) ? await takeLease(database, RANKINGS) : null;
    try {
      // Another server may have taken rankings before this one got the lease.
      if (lease === null || !(await areDue())) return;
      const { takenAt, accounts, followers } = await takeRankings(
        { database, everyMs, stopping: signal },
        lease,
      );
      logger.info({ takenAt, accounts: accounts.length, followers: followers.length }, 'rankings taken');
    } finally {
      await lease?.release();
    }
  };
  const looking = (async () => {
    while (everyMinutes > 0 && !signal.aborted) {
      await look().catch((error: unknown) => {
        if (!signal.aborted) logger.warn({ err: error }, 'could not take rankings; will try again');
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
