import { Command } from 'commander';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { readConfig } from './config';
import { fillWhenEmpty } from './demo/fill';
import { MigrationError } from './kit/cassandra/migrate';
import { ConfigError } from './kit/config';
import { NodeStartError, NoEngineError, ResolveError } from './kit/embedded/engine';
import { ClientError } from './kit/errors';
import { stopSignal } from './kit/stop-signal';
import { openDatabase } from './open';
import { scheduleRankings, type Schedule } from './ranking/schedule';
import { createServer } from './server';
import { taskHandlers } from './tasks';
import { openWriting, type Writing } from './writing';

/** Errors whose message says all that the reader needs: no stack is shown for them. */
const plain = [ConfigError, MigrationError, NoEngineError, ResolveError, NodeStartError, ClientError];

/** Bytes of a secret that nobody guesses: as many as the hash has. */
const SAFE_SECRET = 32;

/** Starts the server and ends it on SIGINT or SIGTERM. */
async function main(): Promise<void> {
  const command = new Command('npm start --')
    .description('Serves GraphQL, on an embedded Cassandra unless CASSANDRA_CONTACT_POINTS names a cluster.')
    .option('--empty', 'leave an empty embedded database empty, without the demo network')
    .allowExcessArguments(false)
    .parse();
  const { empty } = command.opts<{ empty?: true }>();
  const stopped = stopSignal();
  const config = readConfig(process.env);
  const logger = pino({ level: config.logLevel });
  if (config.jwt.secret !== null && Buffer.byteLength(config.jwt.secret) < SAFE_SECRET)
    logger.warn(
      `JWT_SECRET should have at least ${SAFE_SECRET} bytes (RFC 7518): a short one can be guessed`,
    );
  const opened = await openDatabase(config, logger);
  let app: FastifyInstance | undefined;
  let writing: Writing | undefined;
  let schedule: Schedule | undefined;
  const serve = async () => {
    if (opened.embedded && !empty) {
      await fillWhenEmpty(opened.database, config, () => {
        logger.info('filling in the demo network: 500 people, 5,000 tweets');
      });
    }
    writing = await openWriting(opened.database, config, logger);
    writing.outbox.start(taskHandlers(writing));
    schedule = scheduleRankings(opened.database, config.rankingsEveryMinutes, logger);
    app = await createServer(writing, config, logger, opened);
    const address = await app.listen({ port: config.port, host: config.host }).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new ConfigError(`PORT ${config.port} of HOST ${config.host} cannot be used: ${reason}`, {
        cause,
      });
    });
    logger.info({ graphql: `${address}/graphql`, graphiql: `${address}/graphiql` }, 'ready');
    process.stderr.write(`\n  GraphiQL  ${address}/graphiql\n  GraphQL   ${address}/graphql\n\n`);
  };
  try {
    await Promise.race([serve(), stopped]);
    await stopped;
    logger.info('ending');
    await app?.close();
    await schedule?.stop();
    await writing?.close();
  } finally {
    await opened.close();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const known = plain.some((type) => error instanceof type);
    const cause = error instanceof ClientError ? `\n${error.originalError?.message ?? ''}` : '';
    process.stderr.write(
      `${known ? `${(error as Error).message}${cause}` : String((error as Error).stack)}\n`,
    );
    process.exit(1);
  },
);
