import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../src/kit/base/make-folder';

const root = mkdtempSync(join(tmpdir(), 'murmuration-folders-'));
afterAll(() => {
  rmSync(root, { recursive: true });
});

test('a folder is made with those above it, also by several at once, and stays as it is', async () => {
  const folder = join(root, 'a', 'b', 'c');
  await Promise.all([makeFolder(folder), makeFolder(folder), makeFolder(join(root, 'a', 'b', 'd'))]);
  writeFileSync(join(folder, 'letter'), '');
  await makeFolder(folder);
  expect(readdirSync(folder)).toEqual(['letter']);
  expect(statSync(join(root, 'a', 'b', 'd')).isDirectory()).toBe(true);
});

test('what can be no folder is named with the reason', async () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  await expect(makeFolder(file)).rejects.toThrow(`EEXIST: file already exists, mkdir '${file}'`);
  await expect(makeFolder(join(file, 'in'))).rejects.toThrow(`EEXIST: file already exists, mkdir '${file}'`);
  await expect(makeFolder('/proc/folder')).rejects.toThrow("mkdir '/proc");
});

test('every folder of the sources is made so', () => {
  const src = join(__dirname, '..', '..', 'src');
  const makes = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== join('kit', 'base', 'make-folder.ts'))
    .filter((file) => /\bmkdir(Sync)?\([^;]*recursive/.test(readFileSync(join(src, file), 'utf8')));
  expect(makes).toEqual([]);
});
