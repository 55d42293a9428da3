import Fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { askEachProcess, isOneOfSeveral, type FromEach } from '../base/each-process';
import { runShared } from '../base/shared-runs';
import { isStopping } from '../base/stop-signal';
import type { Database } from '../cassandra/database';
import { ConfigError } from '../config/config';
import { ignoreExpectations, withoutHost } from './offers';
import { refuseOtherMethods } from './other-methods';

/** Milliseconds for which an answer about readiness is used again. */
const READINESS_MS = 500;
/** Milliseconds from one collection of metrics to the next, at least. It takes some of the processor, and anybody may ask. */
const METRICS_PAUSE_MS = 200;
/** Milliseconds after which a machine is ready if any process has said so: load balancers wait for one or two seconds. */
const READY_AFTER_MS = 500;

/** The metrics of a server. */
export interface MetricsSource {
  readonly contentType: string;
  text(this: void): Promise<string>;
}

/** The sources of the operators' endpoints. */
interface Operations {
  readonly database: Database;
  readonly metrics?: MetricsSource;
  /** Whether the server can write now. One that can only read is ready, because reads need nothing else. */
  canWrite?(this: void): boolean;
}

/**
 * Serves the operators' endpoints: `/health/live`, `/health/ready` and, if there are metrics, `/metrics`; also while load is shed. `limit`
 * bounds what one address may ask of metrics, which are large.
 */
export async function registerOperations(
  app: FastifyInstance,
  { database, metrics, canWrite = () => true }: Operations,
  limit: (scope: FastifyInstance) => void = () => undefined,
): Promise<void> {
  app.get('/health/live', async () => ({ status: 'live' }));
  const answersCql = createReadinessCheck(database);
  const answer = async (): Promise<Readiness> => {
    if (isStopping()) return { status: 'stopping' };
    const clock = database.clock.problem();
    if (clock !== null) return { status: 'unavailable', clock };
    return (await answersCql()) ? { status: 'ready', writes: canWrite() } : { status: 'unavailable' };
  };
  const askReadiness = askEachProcess('readiness', answer, { enoughAfterMs: READY_AFTER_MS });
  app.get('/health/ready', async (_request, reply) => {
    const readiness = joinReadiness(await askReadiness());
    return reply.code(readiness.status === 'ready' ? 200 : 503).send(readiness);
  });
  if (metrics) {
    // A request that comes while metrics are collected, or soon after, waits for the next collection, so metrics are never older than the
    // request.
    const collect = () => runShared(metrics, 'text', null, () => metrics.text(), METRICS_PAUSE_MS);
    await app.register((scope, _options, done) => {
      limit(scope);
      scope.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await collect()));
      done();
    });
  }
}

/** Whether a server can answer, and write; or what is wrong with this machine's clock. One that is told to stop answers, but not for long. */
interface Readiness {
  readonly status: 'ready' | 'unavailable' | 'stopping';
  readonly writes?: boolean;
  readonly clock?: string;
}

/** Joins the readiness of the server processes of a machine: for a load balancer, it is ready as long as one of them is. */
function joinReadiness({
  answers,
  processes,
}: FromEach<Readiness>): Readiness & { readonly workers?: { readonly ready: number; readonly of: number } } {
  const ready = answers.filter(({ status }) => status === 'ready');
  const [first = answers[0] ?? { status: 'unavailable' }] = ready;
  if (!isOneOfSeveral) return first;
  const writes = ready.every((answer) => answer.writes);
  return {
    ...first,
    ...(ready.length > 0 && { writes }),
    workers: { ready: ready.length, of: processes },
  };
}

/** Creates the check whether Cassandra answers. All who ask meanwhile or shortly after share one check, since anybody may ask. */
function createReadinessCheck(database: Database): () => Promise<boolean> {
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

/** Serves the operators' endpoints on a port of their own, for as long as the server listens. */
export function serveOperationsApart(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
  logger: Logger,
  register: (operations: FastifyInstance) => Promise<void>,
): void {
  const operations = Fastify({ forceCloseConnections: true, rewriteUrl: withoutHost });
  ignoreExpectations(operations.server);
  refuseOtherMethods(operations);
  app.addHook('onReady', async () => {
    await register(operations);
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
