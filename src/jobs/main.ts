import { Command } from 'commander';
import pino from 'pino';
import { readConfig } from '../config';
import { createProgress } from '../import/progress';
import { stopSignal } from '../kit/stop-signal';
import { openDatabase } from '../open';
import { recount } from './recount';

/** Counts again; the exit status is 0 when nothing differed, 1 when something did and is mended. */
async function main(): Promise<number> {
  new Command('npm run recount --')
    .description(
      'Counts likes, shares, replies, followers, followees and tweets again from the rows, while servers serve; prints and mends what differs.',
    )
    .addHelpText('after', '\nExit status: 0 nothing differed, 1 something did, 2 it could not be finished.')
    .allowExcessArguments(false)
    .parse();
  const stopped = stopSignal();
  const config = readConfig(process.env);
  const opened = await openDatabase(config, pino({ level: config.logLevel }, pino.destination(2)));
  const all = async () => {
    const progress = createProgress(process.stderr, Infinity, 'counted again', 'users and tweets');
    let found = 0;
    try {
      for await (const { kind, id, count, shown, counted } of recount(opened.database, (done) => {
        progress.update(done, done, 0);
      })) {
        found++;
        process.stdout.write(`${kind} ${id}: ${count} was ${shown}, is ${counted}\n`);
      }
    } finally {
      progress.end();
    }
    process.stdout.write(`${found} counts differed${found > 0 ? ' and are mended' : ''}\n`);
    return found > 0 ? 1 : 0;
  };
  try {
    return await Promise.race([all(), stopped.then(() => 130)]);
  } finally {
    await opened.close();
  }
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  },
);
