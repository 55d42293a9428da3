import type { Logger } from 'pino';
import { runEvery, type Repeated } from '../base/run-every';
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
): Repeated {
  const warn = (error: unknown, list?: string) => {
    logger.warn({ err: error, list }, 'could not maintain an index; will try again');
  };
  const maintainAll = async (stopping: AbortSignal) => {
    for (const index of indexes)
      try {
        const sealed = await index.maintain({ afterMs: afterSeconds * 1000, stopping });
        if (sealed) logger.info({ list: index.list, entries: sealed }, 'entries of an index sealed');
      } catch (error) {
        if (!stopping.aborted) warn(error, index.list);
      }
  };
  return runEvery(LOOK_EVERY_MS, maintainAll, warn);
}
