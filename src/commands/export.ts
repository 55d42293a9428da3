import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { writeFeatures } from '../app';
import { createProgress } from '../import/progress';
import type { Database } from '../kit/cassandra/database';
import { collectExport } from '../write/account/collect-export';
import { beginExport, findExport, removeExport } from '../write/account/decide-export';
import { writeStoredExport } from '../write/account/stored-export';
import { exportedParts } from '../write/account/write-export';
import { createCommand } from './command';
import { findUserId } from './find-user';
import { runCommand, withDatabase } from './run-command';

/** Exports what a person has. The exit status is 0 if the file is whole. */
async function main(): Promise<number> {
  const command = createCommand('npm run export --')
    .description('Writes all that a person has to a zip of JSON lines, which npm run import takes.')
    .argument('<user>', '@username or userId of the person')
    .argument('[file]', 'the file to write, which must not exist; the username and .zip by default')
    .addHelpText(
      'after',
      '\nWhat was killed goes on within a day. Exit status: 0 the file is whole, 2 failure: there is no file.',
    )
    .parse();
  const [user = '', file = `${user.replace(/^@/, '')}.zip`] = command.args;
  if (/[/\\]/.test(user)) command.error(`The user must be a username or an id, but got: ${user}`);
  if (existsSync(file)) command.error(`The file must not exist, but there is: ${file}`);
  await removePartial(file);
  const partial = `${file}.${process.pid}.partial`;
  // Made at once: else a folder that cannot be written to would be noticed when all is collected.
  await writeFile(partial, '', { flag: 'wx' });
  // Also if it is stopped.
  process.once('exit', () => {
    rmSync(partial, { force: true });
  });
  return withDatabase((database) => exportTo(database, user, file, partial), {
    isQuiet: true,
    stopMessage: 'Stopped. There is no file: the same command goes on where this one was.',
  });
}

/** Collects what a user has, going on where an earlier command was killed, and writes it to a file, which is `partial` until it is whole. */
async function exportTo(database: Database, user: string, file: string, partial: string): Promise<number> {
  const userId = await findUserId(database, user);
  const parts = exportedParts(writeFeatures);
  const progress = createProgress(process.stderr, Infinity, 'exported', 'rows');
  try {
    const begun = await beginExport(database, userId, 'command', randomUUID());
    for await (const { rows } of collectExport(database, parts, begun)) progress.update(rows, rows, 0);
    const finished = await findExport(database, userId, 'command');
    if (finished?.run !== begun.run || finished.finishedAt === null)
      throw new Error('Another command has removed this export: run this one again.');
    const stream = Writable.toWeb(createWriteStream(partial));
    const { files } = await writeStoredExport(database, parts, finished, stream);
    await rename(partial, file);
    await removeExport(database, userId, 'command');
    for (const { name, rows } of files) process.stdout.write(`${name.padEnd(24)}${rows}\n`);
    process.stdout.write(`${file}: complete\n`);
  } finally {
    progress.end();
  }
  return 0;
}

/** Removes what commands have left of a file that were killed while they wrote it. */
async function removePartial(file: string): Promise<void> {
  const names = await readdir(dirname(file)).catch(() => []);
  for (const name of names) {
    const [, begin, pid] = /^(.*)\.(\d+)\.partial$/.exec(name) ?? [];
    if (begin !== basename(file) || isOfAnother(Number(pid))) continue;
    await rm(join(dirname(file), name), { force: true });
  }
}

/** Whether another process runs with that id. In a container, each command may have the same id. */
function isOfAnother(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of somebody else runs, too.
    return Reflect.get(Object(error), 'code') === 'EPERM';
  }
}

runCommand(main);
