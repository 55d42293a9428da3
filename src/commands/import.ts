import { access, constants } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import pino from 'pino';
import { readConfig } from '../config';
import { stopSignal } from '../kit/server/stop-signal';
import { openDatabase } from '../open';
import { formats } from '../import/formats/formats';
import { importFile } from '../import/import-file';
import { createProgress, type Progress } from '../import/progress';
import { createRejects } from '../import/rejects';
import { createStore, type Store } from '../import/store/store';

/** Imports files; the exit status is 0 when every row was taken, 1 when some were rejected, 2 when a file failed. */
async function main(): Promise<number> {
  const command = new Command('npm run import --')
    .description('Imports people, follows and tweets from files, plain or gzip-compressed.')
    .argument('<file...>', 'files to import')
    .option(
      '--format <name>',
      `the format of the files, when it is not to be detected: ${formats.map(({ name }) => name).join(', ')}`,
    )
    .option('--rejects <path>', 'the file that refused rows go to', 'rejects.csv')
    .addHelpText('after', '\nExit status: 0 all rows taken, 1 some refused, 2 a file could not be read.')
    .parse();
  const options = command.opts<{ format?: string; rejects: string }>();
  if (command.args.some((file) => resolve(file) === resolve(options.rejects)))
    throw new Error(`--rejects must name no file that is imported, but got: ${options.rejects}`);
  const stopped = stopSignal();
  for (const file of command.args) await access(file, constants.R_OK);
  const config = readConfig(process.env);
  const opened = await openDatabase(config, pino({ level: config.logLevel }, pino.destination(2)));
  const importAll = async () => {
    const store = createStore(opened.database, config);
    const rejects = createRejects(options.rejects);
    let failed = false;
    for (const file of command.args) {
      try {
        await importFile(file, store, rejects, options.format);
      } catch (error) {
        process.stderr.write(`${file}: ${error instanceof Error ? error.message : String(error)}\n`);
        failed = true;
      }
    }
    await rejects.close();
    await settle(store);
    if (rejects.count > 0) process.stderr.write(`${rejects.count} rows were refused: see ${rejects.path}\n`);
    return failed ? 2 : rejects.count > 0 ? 1 : 0;
  };
  const stop = async () => {
    await stopped;
    process.stderr.write('Stopped. Importing the same files again goes on.\n');
    return 130;
  };
  try {
    return await Promise.race([importAll(), stop()]);
  } finally {
    await opened.close();
  }
}

async function settle(store: Store): Promise<void> {
  let progress: Progress | undefined;
  try {
    await store.settle((settled, total) => {
      progress ??= createProgress(process.stderr, total, 'counts and timelines', 'people');
      progress.update(settled, settled, 0);
    });
  } finally {
    progress?.end();
  }
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  },
);
