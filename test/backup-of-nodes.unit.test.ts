import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  beginBackup,
  completeBackupOfNodes,
  describeNodeCommands,
  makeEmptyFolder,
} from '../src/jobs/backup';

const root = mkdtempSync(join(tmpdir(), 'murmuration-nodes-'));
afterAll(() => {
  rmSync(root, { recursive: true });
});

const backup = {
  keyspace: 'birds',
  takenAt: '2026-11-28T00:00:00.000Z',
  version: '1.0.0',
  migrations: {},
  tables: ['tweets', 'users'],
  nodes: 2,
};

const COMPONENTS = ['Data.db', 'Partitions.db', 'TOC.txt'];

/** Makes a folder as a snapshot of a table has it, with these files of data, and what belongs to each. */
function makeSnapshot(folder: string, files: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ files, expires_at: null }));
  for (const file of files)
    for (const component of COMPONENTS)
      writeFileSync(join(folder, file.replace('Data.db', component)), `${COMPONENTS.join('\n')}\n`);
}

test('what nodes have copied is a backup when each has all files of each table, and not before', async () => {
  const folder = join(root, 'backup');
  await makeEmptyFolder(folder);
  await expect(completeBackupOfNodes(folder)).rejects.toThrow('which npm run backup writes first');
  await beginBackup(folder, backup);
  await expect(completeBackupOfNodes(folder)).rejects.toThrow('each of the 2 nodes, but has none');
  const tables = (node: string) => join(folder, node, 'birds');
  makeSnapshot(join(tables('one'), 'tweets'), ['da-1-bti-Data.db', 'da-2-bti-Data.db']);
  await expect(completeBackupOfNodes(folder)).rejects.toThrow('each of the 2 nodes, but has one.');
  makeSnapshot(join(tables('one'), 'users'), []);
  makeSnapshot(join(tables('two'), 'tweets'), []);
  // Where no snapshot was, its folder was made and nothing was copied.
  mkdirSync(join(tables('two'), 'users'));
  await expect(completeBackupOfNodes(folder)).rejects.toThrow(
    'The folder of two must have all files of all tables, but lacks users/manifest.json.',
  );
  makeSnapshot(join(tables('two'), 'users'), []);
  for (const component of COMPONENTS) {
    const path = join(tables('one'), 'tweets', `da-2-bti-${component}`);
    rmSync(path);
    await expect(completeBackupOfNodes(folder)).rejects.toThrow(
      `The folder of one must have all files of all tables, but lacks tweets/da-2-bti-${component}.`,
    );
    expect(existsSync(join(folder, 'backup.json'))).toBe(false);
    writeFileSync(path, `${COMPONENTS.join('\n')}\n`);
  }
  expect((await completeBackupOfNodes(folder)).sort()).toEqual(['one', 'two']);
  expect(existsSync(join(folder, 'backup.json'))).toBe(true);
});

test('a folder becomes private for a backup, but stays as it is if it has anything', async () => {
  const folder = join(root, 'own');
  mkdirSync(folder, { mode: 0o755 });
  writeFileSync(join(folder, 'letter'), '');
  await expect(makeEmptyFolder(folder)).rejects.toThrow('must be empty');
  expect(statSync(folder).mode & 0o777).toBe(0o755);
  rmSync(join(folder, 'letter'));
  await makeEmptyFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('a folder that cannot be made for a backup is named with the reason', async () => {
  await expect(makeEmptyFolder('/proc/backup')).rejects.toThrow("mkdir '/proc");
  await expect(makeEmptyFolder(__filename)).rejects.toThrow(
    `EEXIST: file already exists, mkdir '${__filename}'`,
  );
});

test('the commands for a node copy its snapshots, and fail at a table without one', () => {
  const folder = join(root, 'commands');
  const data = join(root, 'data');
  const lines = describeNodeCommands(backup, folder).split('\n');
  const commands = lines.slice(
    lines.indexOf('  set -e'),
    lines.findIndex((line) => line.startsWith('When ')),
  );
  const script = commands.join('\n').replaceAll('DATA', data).replaceAll('NODE', 'one');
  // What it calls makes or removes what this test makes itself.
  const run = () => spawnSync('sh', ['-c', `nodetool() { :; }\n${script}`], { encoding: 'utf8' });
  const snapshot = join('snapshots', `backup-${Date.parse(backup.takenAt)}`);
  makeSnapshot(join(data, 'birds', 'tweets-1', snapshot), ['da-1-bti-Data.db']);
  expect(run()).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('users/manifest.json') as string,
  });
  makeSnapshot(join(data, 'birds', 'users-1', snapshot), []);
  // The table was dropped and created again.
  mkdirSync(join(data, 'birds', 'users-0'));
  expect(run()).toMatchObject({ status: 0 });
  expect(existsSync(join(folder, 'one', 'birds', 'tweets', 'da-1-bti-Data.db'))).toBe(true);
});
