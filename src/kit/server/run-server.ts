import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { MigrationError } from '../cassandra/migration-table';
import { ConfigError, type ServerConfig } from '../config/config';
import { NodeStartError, NoEngineError, ResolveError } from '../../tools/embedded/engine';
import { asError, ClientError } from '../base/errors';
import { flushLog } from './logger';
import type { OpenedDatabase } from './open';
import { stopSignal } from './stop-signal';

/** Errors whose message says everything that the reader needs; they are shown without a stack. */
const plain = [ConfigError, MigrationError, NoEngineError, ResolveError, NodeStartError, ClientError];

/** A server as a program. */
export interface Program {
  readonly config: Pick<ServerConfig, 'host' | 'port' | 'graphiql' | 'modelPage'>;
  readonly logger: Logger;
  open(this: void): Promise<OpenedDatabase>;
  /** Creates the server. What is given to `onEnd` runs after the server has closed, the last first, even if the start is stopped or fails. */
  serve(
    this: void,
    opened: OpenedDatabase,
    onEnd: (end: () => Promise<void>) => void,
  ): Promise<FastifyInstance>;
}

/**
 * Runs a program: serves until SIGINT or SIGTERM, then shuts down in order and ends the process.
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
  await serveUntil(stopped, program).finally(() => flushLog(program.logger));
}

async function serveUntil(
  stopped: Promise<unknown>,
  { config, logger, open, serve }: Program,
): Promise<void> {
  // A rejection that nobody handles must not end the process, and all other requests with it.
  process.on('unhandledRejection', (err) => {
    logger.error({ err }, 'unhandled rejection');
  });
  const opened = await open();
  const ends: (() => Promise<void>)[] = [];
  const listen = async () => {
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
    process.stderr.write(
      `\n${graphiql ? `  GraphiQL  ${graphiql}\n` : ''}${model ? `  Model     ${model}\n` : ''}  GraphQL   ${address}/graphql\n\n`,
    );
  };
  try {
    await Promise.race([listen(), stopped]);
    await stopped;
    logger.info('shutting down');
  } finally {
    for (const end of ends.reverse()) await end();
    await opened.close();
  }
}
