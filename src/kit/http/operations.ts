import Fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Database } from '../cassandra/database';
import { ConfigError } from '../config/config';

/** Milliseconds for which an answer about readiness is good. */
const READINESS_MS = 500;

/** What a server measures of itself. */
export interface MetricsSource {
  readonly contentType: string;
  text(this: void): Promise<string>;
}

/** Serves what operators ask: `/health/live`, `/health/ready` and, where there are any, `/metrics`. They answer also while load is shed. */
export function registerOperations(app: FastifyInstance, database: Database, metrics?: MetricsSource): void {
  app.get('/health/live', async () => ({ status: 'live' }));
  const isReady = lookForReadiness(database);
  app.get('/health/ready', async (_request, reply) =>
    (await isReady()) ? { status: 'ready' } : reply.code(503).send({ status: 'unavailable' }),
  );
  if (metrics)
    app.get('/metrics', async (_request, reply) =>
      reply.type(metrics.contentType).send(await metrics.text()),
    );
}

/** Tells whether Cassandra answers: one look is for all who ask meanwhile and shortly after, since anybody may ask. */
function lookForReadiness(database: Database): () => Promise<boolean> {
  let last: Promise<boolean> | null = null;
  return () => {
    if (last === null) {
      last = database.read('SELECT file FROM migrations WHERE file = ?', ['lock']).then(
        () => true,
        () => false,
      );
      void last.then(() => setTimeout(() => (last = null), READINESS_MS).unref());
    }
    return last;
  };
}

/** Has a server serve operators on a port of their own, which listens as long as the server does. */
export function serveOperationsApart(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
  logger: Logger,
  register: (operations: FastifyInstance) => void,
): void {
  const operations = Fastify({ forceCloseConnections: true });
  register(operations);
  app.addHook('onReady', async () => {
    const address = await operations.listen({ port, host }).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new ConfigError(`OPERATIONS_PORT ${port} of HOST ${host} cannot be used: ${reason}`, { cause });
    });
    logger.info({ health: `${address}/health/ready`, metrics: `${address}/metrics` }, 'operations');
  });
  app.addHook('onClose', async () => {
    await operations.close();
  });
}
