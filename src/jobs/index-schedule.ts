import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../kit/cassandra/database';
import type { InvertedIndex } from '../kit/postings/inverted-index';
import { tweetIndexesOf } from '../search/tweet-index';
import type { Schedule } from './rankings/schedule';

/** How often it is checked whether entries are to be sealed. */
const LOOK_EVERY_MS = 10_000;

/**
 * Starts to move the entries of tweets into segments when the oldest is `afterSeconds` old, and to merge segments. Of several
 * servers, one at a time does it. A failure is logged, and the work is tried again.
 */
export function scheduleIndexes(database: Database, afterSeconds: number, logger: Logger): Schedule {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { newest, liked } = tweetIndexesOf(database);
  const maintain = async (index: InvertedIndex) => {
    try {
      const sealed = await index.maintain({ afterMs: afterSeconds * 1000, stopping: signal });
      if (sealed) logger.info({ list: index.list, entries: sealed }, 'entries of an index sealed');
    } catch (error) {
      if (signal.aborted) return;
      logger.warn({ err: error, list: index.list }, 'could not maintain an index; will try again');
    }
  };
  const looking = (async () => {
    while (!signal.aborted) {
      await maintain(newest);
      await maintain(liked);
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
