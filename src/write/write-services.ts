import type { Logger } from 'pino';
import type { Config } from '../config';
import { watchAccountDeletions, type Leaving } from '../features/account/account-deletion';
import { startSuspensions, type Suspensions } from '../features/moderation/suspensions';
import type { Database } from '../kit/cassandra/database';
import { createQuotas, type Quotas } from '../kit/rate-limits/quotas';
import { createBulkWriter } from '../kit/writes/bulk';
import type { RowWriter } from '../kit/writes/row-writer';
import { createSignals, type Signals } from '../kit/subscriptions/signals';
import { createOutbox, type Outbox } from '../kit/work/outbox';
import { createTally, type Tally } from '../kit/work/tally';
import { connectNats, type Nats } from '../kit/nats/connection';
import { natsSignals } from '../kit/nats/signals';
import { createTaskStream } from '../kit/nats/task-stream';
import { startWorker, type Worker } from '../kit/work/worker';
import { createShedding, type Shedding } from './shedding';

/**
 * The quotas of a user's writes: tweets, shares, articles and comments; follows and unfollows; removals of tweets, shares, likes and
 * follows; changes of the name; and bytes of inputs.
 */
export type UserQuotas = Quotas<'posts' | 'follows' | 'deletions' | 'renames' | 'bytes'>;

/** The services by which mutations and tasks write. A server has one. */
export interface WriteServices {
  readonly database: Database;
  readonly tally: Tally;
  readonly outbox: Outbox;
  readonly worker: Worker;
  /** Tells subscriptions what has changed, after it was stored. */
  readonly signals: Signals;
  /** Creates a bulk writer. */
  bulk(): RowWriter;
  /** Authors with more followers than this are pulled: their tweets are merged in when a timeline is read. */
  readonly pushLimit: number;
  readonly shedding: Shedding;
  readonly quotas: UserQuotas;
  readonly suspensions: Suspensions;
  readonly leaving: Leaving;
  /** How many days a deletion of an account waits. */
  readonly accountDeletionDays: number;
  /** How long tweets stay in timelines, in months; null keeps them for ever. */
  readonly retentionMonths: number | null;
  /** The connection to NATS; null where servers share their work through the database only. */
  readonly nats: Nats | null;
  /** Interrupts the tasks of this server, then gives up its lease. Other servers or the next start complete them. */
  close(this: void): Promise<void>;
}

/**
 * Opens the write services of a server: leases a worker number and creates the outbox. With `isAlone`, that runs only tasks of its own: those of
 * others may last for hours.
 */
export async function openWriteServices(
  database: Database,
  config: Pick<
    Config,
    | 'accountDeletionDays'
    | 'cassandra'
    | 'fanoutPushLimit'
    | 'fanoutShedAfterSeconds'
    | 'natsPrefix'
    | 'natsUrls'
    | 'quotas'
    | 'timelineRetentionMonths'
  >,
  logger: Logger,
  { isAlone = false }: { readonly isAlone?: boolean } = {},
): Promise<WriteServices> {
  const worker = await startWorker(database);
  const suspensions = await startSuspensions(database, (line) => {
    logger.warn(line);
  });
  const leaving = await watchAccountDeletions(database, (line) => {
    logger.warn(line);
  });
  const nats = config.natsUrls && connectNats(config.natsUrls, logger);
  const { instance } = worker;
  const name = config.natsPrefix ?? config.cassandra.keyspace;
  const queue = nats && !isAlone ? createTaskStream(nats, { name, instance, logger }) : null;
  const outbox = createOutbox(database, worker, logger, queue, isAlone);
  return {
    database,
    worker,
    nats,
    outbox,
    tally: createTally(database),
    signals: nats ? natsSignals(nats, name) : createSignals(),
    bulk: createBulkWriter(database, outbox.stopping),
    pushLimit: config.fanoutPushLimit,
    shedding: createShedding(config.fanoutShedAfterSeconds),
    quotas: createQuotas(database, config.quotas),
    suspensions,
    leaving,
    accountDeletionDays: config.accountDeletionDays,
    retentionMonths: config.timelineRetentionMonths,
    async close() {
      suspensions.stop();
      leaving.stop();
      await outbox.stop();
      await nats?.close();
      await worker.stop();
    },
  };
}
