import pino from 'pino';
import type { Database } from '../../src/kit/cassandra/database';
import { connectNats } from '../../src/kit/nats/connection';
import { createTaskStream } from '../../src/kit/nats/task-stream';
import { NOBODY, type Handlers } from '../../src/kit/work/handler';
import { createOutbox, type Outbox } from '../../src/kit/work/outbox';
import { startWorker } from '../../src/kit/work/worker';

/** How much work the tasks of tests are. */
export const SMALL = { rows: 1, person: NOBODY };

/** A server that only has an outbox. */
export interface WorkServer {
  readonly outbox: Outbox;
  readonly instance: string;
  /** Enqueues a task whose mutation has nothing to do itself. */
  enqueue(kind: string, payload?: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server that runs the tasks of `handlers`. With `nats`, it shares them through NATS. */
export async function startWorkServer(
  database: Database,
  name: string,
  nats: string | null,
  handlersOf: (instance: string) => Handlers,
): Promise<WorkServer> {
  const logger = pino({ level: 'silent' });
  const worker = await startWorker(database);
  const { instance } = worker;
  const connection = nats === null ? null : connectNats([nats], logger);
  const queue = connection && createTaskStream(connection, { name, instance, logger });
  const outbox = createOutbox(database, worker, logger, queue);
  outbox.start(handlersOf(instance));
  return {
    outbox,
    instance,
    async enqueue(kind, payload = {}) {
      const prepared = await outbox.prepareTask(kind, payload);
      await outbox.enqueue(prepared);
      outbox.runInBackground(prepared.task);
    },
    async stop() {
      await outbox.stop();
      await connection?.close();
      await worker.stop();
    },
  };
}
