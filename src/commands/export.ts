import { createWriteStream, rmSync } from 'node:fs';
import { access, rename } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { writeFeatures } from '../app';
import { createProgress } from '../import/progress';
import { exportedParts, writeExport } from '../write/account/write-export';
import { createCommand } from './command';
import { findUserId } from './find-user';
import { runCommand, withDatabase } from './run-command';

/** Exports what a person has. The exit status is 0 if the file is whole. */
async function main(): Promise<number> {
  const command = createCommand('npm run export --')
    .description('Writes all that a person has to a zip of JSON lines, which npm run import takes.')
    .argument('<user>', '@username or userId of the person')
    .argument('[file]', 'the file to write, which must not exist; the username and .zip by default')
    .addHelpText('after', '\nExit status: 0 the file is whole, 2 failure: there is no file.')
    .parse();
  const [user = '', file = `${user.replace(/^@/, '')}.zip`] = command.args;
  if (/[/\\]/.test(user)) command.error(`The user must be a username or an id, but got: ${user}`);
  if (await exists(file)) command.error(`The file must not exist, but there is: ${file}`);
  const partial = `${file}.${process.pid}.partial`;
  // Also if it is stopped.
  process.once('exit', () => {
    rmSync(partial, { force: true });
  });
  return withDatabase(
    async (database) => {
      const userId = await findUserId(database, user);
      const progress = createProgress(process.stderr, Infinity, 'exported', 'rows');
      try {
        const stream = Writable.toWeb(createWriteStream(partial, { flags: 'wx' }));
        const { files } = await writeExport(
          database,
          userId,
          exportedParts(writeFeatures),
          stream,
          (rows) => {
            progress.update(rows, rows, 0);
          },
        );
        await rename(partial, file);
        for (const { name, rows } of files) process.stdout.write(`${name.padEnd(24)}${rows}\n`);
        process.stdout.write(`${file}: complete\n`);
      } finally {
        progress.end();
      }
      return 0;
    },
    { asItIs: true, isQuiet: true, stopMessage: 'Stopped. There is no file.' },
  );
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

runCommand(main);
