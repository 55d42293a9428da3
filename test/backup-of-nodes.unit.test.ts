import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beginBackup, completeBackupOfNodes, makeEmptyFolder } from '../src/jobs/backup';

const root = mkdtempSync(join(tmpdir(), 'murmuration-nodes-'));
afterAll(() => {
  rmSync(root, { recursive: true });
});

test('what nodes have copied is a backup when each has a folder for each table, and not before', async () => {
  const folder = join(root, 'backup');
  mkdirSync(folder, { mode: 0o755 });
  await makeEmptyFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  await expect(completeBackupOfNodes(folder)).rejects.toThrow('which npm run backup writes first');
  await beginBackup(folder, {
    keyspace: 'birds',
    takenAt: '2026-11-28T00:00:00.000Z',
    version: '1.0.0',
    migrations: {},
    tables: ['tweets', 'users'],
    nodes: 2,
  });
  await expect(completeBackupOfNodes(folder)).rejects.toThrow('each of the 2 nodes, but has none');
  mkdirSync(join(folder, 'one', 'birds', 'tweets'), { recursive: true });
  await expect(completeBackupOfNodes(folder)).rejects.toThrow('each of the 2 nodes, but has one.');
  for (const node of ['one', 'two']) mkdirSync(join(folder, node, 'birds', 'tweets'), { recursive: true });
  mkdirSync(join(folder, 'one', 'birds', 'users'));
  await expect(completeBackupOfNodes(folder)).rejects.toThrow(
    'The folder of two must have all tables, but lacks users.',
  );
  expect(existsSync(join(folder, 'backup.json'))).toBe(false);
  mkdirSync(join(folder, 'two', 'birds', 'users'));
  expect((await completeBackupOfNodes(folder)).sort()).toEqual(['one', 'two']);
  expect(existsSync(join(folder, 'backup.json'))).toBe(true);
});
