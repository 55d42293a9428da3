import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import type { Database } from '../../src/kit/cassandra/database';
import { connectNats } from '../../src/kit/nats/connection';
import { createTaskStream } from '../../src/kit/nats/task-stream';
import { NOBODY, type Handlers } from '../../src/kit/work/handler';
import { createOutbox, type Outbox } from '../../src/kit/work/outbox';
import { startWorker } from '../../src/kit/work/worker';
import { startHarness, type Harness } from '../support/harness';

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
async function startWorkServer(
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

/** How work servers are started. */
interface Starting {
  readonly count?: number;
  /** The address of NATS, through which they share tasks. */
  readonly nats?: string | null;
  readonly database?: Database;
}

/** Lets the tests of a file start work servers on one keyspace. They are stopped after each test. */
export function useWorkServers() {
  let harness: Harness;
  const servers: WorkServer[] = [];
  beforeAll(async () => {
    harness = await startHarness({}, undefined, { held: true });
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((one) => one.stop()));
  });
  const pending = () => harness.writeServices.outbox.pending();
  const settled = async () => {
    while ((await pending()).length > 0) await sleep(50);
  };
  return {
    /** Those that run. */
    servers,
    database: () => harness.database,
    /** Starts servers that run the same handlers. */
    async start(
      handlersOf: (instance: string) => Handlers,
      { count = 1, nats = null, database = harness.database }: Starting = {},
    ): Promise<readonly WorkServer[]> {
      const { keyspace } = harness.config.cassandra;
      for (let n = 0; n < count; n++)
        servers.push(await startWorkServer(database, keyspace, nats, handlersOf));
      // Each has seen the others.
      await sleep(1000);
      return servers.slice(-count);
    },
    pending,
    settled,
  };
}
