import { Command } from 'commander';
import pino from 'pino';
import { readConfig } from '../config';
import { ClientError } from '../kit/base/errors';
import { stopSignal } from '../kit/server/stop-signal';
import { openDatabase } from '../open';
import { describeStatus, readStatus } from '../status/status';

/** Prints the servers of a database and their tasks. The exit status is 0, or 1 if the database cannot be reached. */
async function main(): Promise<number> {
  const command = new Command('npm run status --')
    .description(
      'Shows which servers are alive, which tasks are not completed, and how old the oldest task is.',
    )
    .option('--json', 'print one line of JSON')
    .addHelpText('after', '\nExit status: 0 the database answered, 1 it did not.')
    .allowExcessArguments(false)
    .parse();
  const { json } = command.opts<{ json?: true }>();
  const stopped = stopSignal();
  const config = readConfig(process.env);
  const opened = await openDatabase(config, pino({ level: 'warn' }, pino.destination(2)), { asItIs: true });
  const report = async () => {
    const status = await readStatus(opened.database);
    process.stdout.write(json ? `${JSON.stringify(status)}\n` : describeStatus(status));
    return 0;
  };
  try {
    return await Promise.race([report(), stopped.then(() => 130)]);
  } finally {
    await opened.close();
  }
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    const cause = error instanceof ClientError ? error.originalError : undefined;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (cause) process.stderr.write(`${cause.message.split('\n')[0] ?? ''}\n`);
    process.exit(1);
  },
);
