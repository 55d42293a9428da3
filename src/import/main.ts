import { Command } from 'commander';
import pino from 'pino';
import { readConfig } from '../config';
import { openDatabase } from '../open';
import { formats } from './formats';
import { importFile } from './import-file';
import { createStore } from './store';

/** Imports files; the exit status is 0 when every row was taken, 1 when some were rejected, 2 when a file failed. */
async function main(): Promise<number> {
  const command = new Command('npm run import --')
    .description('Imports people, follows and tweets from files, plain or gzip-compressed.')
    .argument('<file...>', 'files to import')
    .option(
      '--format <name>',
      `the format of the files, when it is not to be detected: ${formats.map(({ name }) => name).join(', ')}`,
    )
    .option('--rejects <path>', 'where refused rows go; by default beside you, named after the file')
    .parse();
  const options = command.opts<{ format?: string; rejects?: string }>();
  const config = readConfig(process.env);
  const opened = await openDatabase(config, pino({ level: config.logLevel }, pino.destination(2)));
  try {
    const store = createStore(opened.database, config.fanoutPushLimit);
    let status = 0;
    for (const file of command.args) {
      try {
        const { rejected } = await importFile(file, store, options);
        if (rejected > 0) status = Math.max(status, 1);
      } catch (error) {
        process.stderr.write(`${file}: ${error instanceof Error ? error.message : String(error)}\n`);
        status = 2;
      }
    }
    process.stderr.write('Counting and filling timelines\n');
    await store.settle();
    return status;
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
