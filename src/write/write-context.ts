import type { Logger } from 'pino';
import type { Config } from '../config';
import type { Database } from '../kit/cassandra/database';
import { createBulkWriter, type BulkWriter } from '../kit/data/bulk';
import { createOutbox, type Outbox } from '../kit/work/outbox';
import { createTally, type Tally } from '../kit/work/tally';
import { startWorker, type Worker } from '../kit/work/worker';
import { MAX_UNSHARDED_FOLLOWING } from '../timeline/parts';

/** What acts write with. A server has one. */
export interface WriteContext {
  readonly database: Database;
  readonly tally: Tally;
  readonly outbox: Outbox;
  readonly worker: Worker;
  /** Writes many rows. */
  bulk(): BulkWriter;
  /** Authors with more followers are merged in when a timeline is read. */
  readonly pushLimit: number;
  /** Who follows so many has parted relations from then on. */
  readonly maxUnshardedFollowing: number;
  /** How long tweets stay in timelines; null: for ever. */
  readonly retentionMonths: number | null;
  /** Ends in order: what is under way here is left as it is, at once, for other servers or the next start. */
  close(this: void): Promise<void>;
}

/** Makes what a server writes with. */
export async function openWriteContext(
  database: Database,
  config: Pick<Config, 'fanoutPushLimit' | 'timelineRetentionMonths'>,
  logger: Logger,
): Promise<WriteContext> {
  const worker = await startWorker(database);
  const outbox = createOutbox(database, worker, logger);
  return {
    database,
    worker,
    outbox,
    tally: createTally(database),
    bulk: createBulkWriter(database, outbox.stopping),
    pushLimit: config.fanoutPushLimit,
    maxUnshardedFollowing: MAX_UNSHARDED_FOLLOWING,
    retentionMonths: config.timelineRetentionMonths,
    async close() {
      await outbox.stop();
      await worker.stop();
    },
  };
}
