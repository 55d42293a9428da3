import pino from 'pino';
import { readConfig, type Config } from '../config';
import { ClientError, isUnavailable } from '../kit/base/errors';
import type { Database } from '../kit/cassandra/database';
import { hasNode } from '../tools/embedded/engine';
import { stopSignal } from '../kit/base/stop-signal';
import { openDatabase } from '../open';

/** The exit status of a command that was stopped by a signal. */
const STOPPED = 130;

/**
 * Runs a command and ends the process. The exit status is what the command resolves to, or `failure` if it rejects. Then the
 * message is printed, with the first line of the cause if the database did not answer.
 */
export function runCommand(command: () => Promise<number>, failure = 2): void {
  command().then(
    (status) => process.exit(status),
    (error: unknown) => {
      process.stderr.write(`${describeFailure(error)}\n`);
      process.exit(failure);
    },
  );
}

/** Describes an error for a command's output: its message, and the first line of the cause if it has one. */
export function describeFailure(error: unknown): string {
  const cause = error instanceof ClientError ? error.originalError : undefined;
  const message = error instanceof Error ? error.message : String(error);
  // The message of an unavailable database is for callers of the API.
  const own = isUnavailable(error) && cause ? 'The database did not answer.' : message;
  return cause ? `${own}\n${cause.message.split('\n')[0] ?? ''}` : own;
}

/** The message of a quiet command if the database takes longer than this to open. */
const WAITING =
  'Waiting for the database. If no server is running, Cassandra is started, which takes half a minute.\n';
const WAITING_MS = 2000;

/** Throws an error if the settings name no cluster, and no embedded database was ever started in the folder that they name. */
export async function requireDatabase({ cassandra, dataDir }: Config): Promise<void> {
  if (cassandra.contactPoints === null && !(await hasNode(dataDir)))
    throw new Error(
      `There is no database in ${dataDir}, and CASSANDRA_CONTACT_POINTS names none: npm start makes one there, or DATA_DIR names that of a server.`,
    );
}

/** The way in which a command uses the database. */
interface DatabaseUse {
  /** Leaves the tables as they are, instead of applying the migrations. */
  readonly asItIs?: boolean;
  /** Makes an embedded database if there is none. Other commands would find nothing in it. */
  readonly creates?: boolean;
  /** Logs warnings only, whatever the settings say. */
  readonly isQuiet?: boolean;
  /** The message if a signal stops the work. */
  readonly stopMessage?: string;
}

/**
 * Runs work on the database that the environment names, and closes it. Resolves to what the work resolves to, or to 130 as
 * soon as a signal stops it.
 */
export async function withDatabase(
  work: (database: Database, config: Config) => Promise<number>,
  { asItIs = false, creates = false, isQuiet = false, stopMessage }: DatabaseUse = {},
): Promise<number> {
  const stopped = stopSignal();
  const config = readConfig(process.env);
  if (!creates) await requireDatabase(config);
  const output = pino.destination(2);
  // A terminal that is closed must not end the work before the database is closed.
  for (const stream of [process.stderr, output]) stream.on('error', () => undefined);
  const logger = pino({ level: isQuiet ? 'warn' : config.logLevel }, output);
  const waiting = isQuiet ? setTimeout(() => process.stderr.write(WAITING), WAITING_MS) : undefined;
  const opened = await openDatabase(config, logger, { asItIs, leavesFound: true }).finally(() => {
    clearTimeout(waiting);
  });
  const stop = async () => {
    await stopped;
    if (stopMessage !== undefined) process.stderr.write(`${stopMessage}\n`);
    return STOPPED;
  };
  try {
    // Commands that leave the tables as they are write nothing, so the clock does not matter to them.
    if (!asItIs) opened.database.clock.requireRight();
    return await Promise.race([work(opened.database, config), stop()]);
  } finally {
    await opened.close();
  }
}
