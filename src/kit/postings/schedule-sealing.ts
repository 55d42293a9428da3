import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { InvertedIndex } from './inverted-index';

/** How often it is checked whether entries are to be sealed. */
const LOOK_EVERY_MS = 10_000;

/**
 * Starts to move the entries of indexes into segments when the oldest is `afterSeconds` old, and to merge segments. One server at a time
 * does it for each part of a list. A failure is logged, and the work is tried again.
 */
export function scheduleSealing(
  indexes: readonly InvertedIndex[],
  afterSeconds: number,
  logger: Logger,
): { stop(this: void): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
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
    while (!signal.aborted && indexes.length > 0) {
      for (const index of indexes) await maintain(index);
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
