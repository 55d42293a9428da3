import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { MigrationError } from '../cassandra/migration-table';
import { isOneOfSeveral, tellStarter } from '../base/each-process';
import { ConfigError, type ServerConfig } from '../config/config';
import { NodeStartError, NoEngineError, ResolveError } from '../../tools/embedded/engine';
import { asError, ClientError, isUnavailable } from '../base/errors';
import { isStopping, stopSignal } from '../base/stop-signal';
import { flushLog } from './logger';
import type { OpenedDatabase } from './open';
import { runServerProcesses, ServerProcessError } from './server-processes';

/** Errors whose message says everything that the reader needs; they are shown without a stack. */
const plain = [
  ...[ConfigError, MigrationError, NoEngineError, ResolveError, NodeStartError, ClientError],
  ServerProcessError,
];

/** A server as a program. */
export interface Program {
  readonly config: Pick<
    ServerConfig,
    'host' | 'port' | 'graphiql' | 'modelPage' | 'workers' | 'logCallerSecret' | 'drainSeconds'
  >;
  readonly logger: Logger;
  open(this: void): Promise<OpenedDatabase>;
  /** Is called once before the first server process serves. */
  prepare?(this: void, opened: OpenedDatabase): Promise<void>;
  /**
   * Creates the server. Functions that are given to `onEnd` run after the server has closed, the last first, even if the start is stopped
   * or fails.
   */
  serve(
    this: void,
    opened: OpenedDatabase,
    onEnd: (end: () => Promise<void>) => void,
  ): Promise<FastifyInstance>;
}

/**
 * Runs a program: serves until SIGINT, SIGTERM or SIGHUP, then shuts down in order and ends the process. After SIGTERM it first says for
 * `drainSeconds` that it is not ready, and serves on.
 *
 * @example
 * ```ts
 * runServer(() => programOf(hotelServer, process.env));
 * ```
 */
export function runServer(start: () => Program): void {
  run(start).then(
    () => process.exit(0),
    (error: unknown) => {
      const known = plain.some((type) => error instanceof type);
      const cause = error instanceof ClientError ? `\n${error.originalError?.message ?? ''}` : '';
      const { message, stack = message } = asError(error);
      process.stderr.write(`${known ? `${message}${cause}` : stack}\n`);
      process.exit(1);
    },
  );
}

async function run(start: () => Program): Promise<void> {
  const stopped = stopSignal();
  const program = start();
  const { config, logger, open } = program;
  // A rejection that nobody handles must not end the process, and all other requests with it.
  process.on('unhandledRejection', (err) => {
    logger.error({ err }, 'unhandled rejection');
  });
  let isOpen = false;
  void stopped.then(() => {
    if (!isOpen) logger.info('shutting down as soon as the database has started');
  });
  try {
    const opened = await open().catch((error: unknown) => {
      // An operator who stops a waiting server need not be told that the cluster was missing.
      if (isStopping() && isUnavailable(error)) return null;
      throw error;
    });
    isOpen = true;
    if (opened === null) return;
    try {
      if (config.workers === 1 || isOneOfSeveral) await serveUntil(stopped, program, opened);
      else await runSeveral(stopped, program, opened);
    } finally {
      await opened.close();
    }
  } finally {
    await flushLog(logger);
  }
}

/** Keeps the database open, so that an embedded one does not end with a server process, and runs these processes. */
async function runSeveral(
  stopped: Promise<unknown>,
  { config, logger, prepare }: Program,
  opened: OpenedDatabase,
): Promise<void> {
  await Promise.race([prepare?.(opened), stopped]);
  await runServerProcesses(config, logger, stopped, (banner) => process.stderr.write(banner));
}

async function serveUntil(
  stopped: ReturnType<typeof stopSignal>,
  { config, logger, prepare, serve }: Program,
  opened: OpenedDatabase,
): Promise<void> {
  const ends: (() => Promise<void>)[] = [];
  const listen = async () => {
    if (!isOneOfSeveral) await prepare?.(opened);
    const app = await serve(opened, (end) => ends.push(end));
    ends.push(async () => app.close());
    const address = await app.listen({ port: config.port, host: config.host }).catch((cause: unknown) => {
      if (cause instanceof ConfigError) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new ConfigError(`PORT ${config.port} of HOST ${config.host} cannot be used: ${reason}`, {
        cause,
      });
    });
    const graphiql = config.graphiql && `${address}/graphiql`;
    const model = config.modelPage && `${address}/model`;
    logger.info({ graphql: `${address}/graphql`, ...(graphiql && { graphiql }) }, 'ready');
    const banner = `\n${graphiql ? `  GraphiQL  ${graphiql}\n` : ''}${model ? `  Model     ${model}\n` : ''}  GraphQL   ${address}/graphql\n\n`;
    if (isOneOfSeveral) tellStarter({ kind: 'ready', banner });
    else process.stderr.write(banner);
  };
  try {
    const listening = listen().then(() => true);
    const isListening = await Promise.race([listening, stopped.then(() => false)]);
    // Somebody who presses Ctrl+C does not want to wait, and has no load balancer that must notice first.
    if ((await stopped) === 'SIGTERM' && isListening && config.drainSeconds > 0) {
      logger.info({ seconds: config.drainSeconds }, 'not ready any more, still serving');
      await sleep(config.drainSeconds * 1000);
    }
    logger.info('shutting down');
  } finally {
    // One that fails must not keep the others from ending in order.
    const failures: unknown[] = [];
    for (const end of ends.reverse()) await end().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, 'The server did not end in order');
  }
}
