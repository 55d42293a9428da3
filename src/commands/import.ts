import { access, constants } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { formats } from '../import/formats/formats';
import { importFile } from '../import/import-file';
import { importExports } from '../import/own/import-exports';
import { moveActs } from '../import/own/move-acts';
import { forgetBegunFill } from '../demo/fill';
import { isZip } from '../import/own/read-export';
import { createProgress, type Progress } from '../import/progress';
import { createRejects, requireWritable } from '../import/rejects';
import { createStore, type Store } from '../import/store/store';
import { Summary } from '../import/summary';
import { isUnavailable } from '../kit/base/errors';
import { createCommand } from './command';
import { describeFailure, runCommand, withDatabase } from './run-command';
import { withWriteServices } from './with-write-services';

/** The advice for an import that did not come to its end. */
const AGAIN = 'Import the same files again to continue.';

/** Imports files. The exit status is 0 if every row was stored, 1 if rows were rejected, 2 if a file failed, 130 if stopped. */
async function main(): Promise<number> {
  const command = createCommand('npm run import --')
    .description(
      'Imports users, follows and tweets from files, plain or gzip-compressed, and exports of people.',
    )
    .argument('<file...>', 'files to import')
    .addOption(
      new Option('--format <name>', 'the format of the files, if it should not be detected').choices(
        formats.map(({ name }) => name),
      ),
    )
    .option('--rejects <path>', 'the file to write rejected rows to', 'rejects.csv')
    .addHelpText(
      'after',
      '\nExit status: 0 all rows were taken, 1 some were rejected, 2 a file could not be read, or not all of it.',
    )
    .parse();
  const options = command.opts<{ format?: string; rejects: string }>();
  if (command.args.some((file) => resolve(file) === resolve(options.rejects)))
    command.error(`--rejects must not be a file to import, but got: ${options.rejects}`);
  for (const file of command.args) await access(file, constants.R_OK);
  requireWritable(options.rejects);
  return withDatabase(
    async (database, config) => {
      await forgetBegunFill(database);
      const rejects = createRejects(options.rejects);
      const store = createStore(database, config, (merges) =>
        withWriteServices(database, config, async (services) => {
          for (const [from, to] of merges) await moveActs(services, from, to);
        }),
      );
      const summary = new Summary();
      const failures: unknown[] = [];
      const fail = (file: string, error: unknown) => {
        process.stderr.write(`${file}: ${describeFailure(error)}\n`);
        failures.push(error);
      };
      const exports: string[] = [];
      for (const file of command.args) {
        // What could not be stored makes the writer fail from then on.
        if (failures.some(isUnavailable)) {
          process.stderr.write(`${file}: was not read, because the database failed before\n`);
          continue;
        }
        try {
          if (options.format === undefined && (await isZip(file))) exports.push(file);
          else await importFile(file, { store, rejects, summary }, options.format);
        } catch (error) {
          fail(file, error);
        }
      }
      if (exports.length > 0 && !failures.some(isUnavailable))
        await withWriteServices(database, config, (services) =>
          importExports(exports, { store, rejects, summary, services, fail }),
        ).catch((error: unknown) => {
          fail(exports.join(', '), error);
        });
      try {
        summary.settle(await settle(store));
      } catch (error) {
        fail('counts and timelines', error);
      }
      await rejects.close();
      process.stdout.write(summary.toString());
      if (rejects.count > 0)
        process.stderr.write(
          `${rejects.count} ${rejects.count === 1 ? 'row was' : 'rows were'} rejected: see ${rejects.path}\n`,
        );
      if (failures.some(isUnavailable)) process.stderr.write(`The database failed meanwhile. ${AGAIN}\n`);
      return failures.length > 0 ? 2 : rejects.count > 0 ? 1 : 0;
    },
    { creates: true, stopMessage: `Stopped. ${AGAIN}` },
  );
}

async function settle(store: Store): Promise<number> {
  let shown: { readonly step: string; readonly progress: Progress } | undefined;
  try {
    return await store.settle((step, settled, total) => {
      if (shown?.step !== step) {
        shown?.progress.end();
        shown = { step, progress: createProgress(process.stderr, total, step, 'users') };
      }
      shown.progress.update(settled, settled, 0);
    });
  } finally {
    shown?.progress.end();
  }
}

runCommand(main);
