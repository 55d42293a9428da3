import pino from 'pino';
import { readConfig, type Config } from '../config';
import type { Database } from '../kit/cassandra/database';
import { stopSignal } from '../kit/server/stop-signal';
import { openDatabase } from '../open';

/**
 * Runs a command's work on the database that the environment names, and ends the process. The exit status is what the
 * work resolves to; 130 if it was stopped by a signal; 2 if it failed.
 */
export function runJob(work: (database: Database, config: Config) => Promise<number>): void {
  run(work).then(
    (status) => process.exit(status),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(2);
    },
  );
}

async function run(work: Parameters<typeof runJob>[0]): Promise<number> {
  const stopped = stopSignal();
  const config = readConfig(process.env);
  const opened = await openDatabase(config, pino({ level: config.logLevel }, pino.destination(2)));
  try {
    return await Promise.race([work(opened.database, config), stopped.then(() => 130)]);
  } finally {
    await opened.close();
  }
}
