import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMigrations } from '../../src/kit/cassandra/migration-files';
import { newerVersion } from '../../src/kit/cassandra/migration-table';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'migrations-'))));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function read(cql: string) {
  writeFileSync(join(folder, '001-only.cql'), cql);
  const [file] = readMigrations(folder);
  if (file === undefined) throw new Error('there must be a file');
  return file;
}

const TABLE =
  "CREATE TABLE t (a int, b text, PRIMARY KEY (a, b)) WITH gc_grace_seconds = 1 AND comment = 'What?';";

test.each([
  ['comments', `-- one\n/* two; */ ${TABLE} // three\n`],
  ['a comment within it', TABLE.replace('a int,', 'a int, -- the first\n  /* b; */')],
  ['white space', TABLE.replaceAll(' ', '\n\t').replace('(a', '( a').replace('= 1', '=1')],
  ['the comment of the table', TABLE.replace('What?', "It''s; what -- it (says).")],
  ['an empty statement', `${TABLE};\n;`],
])('%s does not count as a change of a statement', (_, cql) => {
  expect(read(cql).checksum).toBe(read(TABLE).checksum);
});

test.each([
  ['a column', TABLE.replace('b text', 'c text')],
  ['an option', TABLE.replace('= 1', '= 10')],
  ['a quoted text', TABLE.replace('gc_grace_seconds = 1', "compression = {'class': ''}")],
  ['the order', TABLE.replace('(a, b)', '(b, a)')],
  ['another statement', `${TABLE} ALTER TABLE t ADD c int;`],
  ['a space within a word', TABLE.replace('gc_grace', 'gc _grace')],
])('%s does', (_, cql) => {
  expect(read(cql).checksum).not.toBe(read(TABLE).checksum);
});

test('statements are divided by semicolons that are neither quoted nor in comments', () => {
  const { statements } = read(`-- a; b\n${TABLE.replace('What?', 'a; b')} /* ; */ DROP TABLE u;\n-- end`);
  expect(statements).toEqual([TABLE.replace('What?', 'a; b').slice(0, -1), 'DROP TABLE u']);
});

test('a table that was dropped is not created again under its name, which nodes could get in the other order', () => {
  expect(() => read(`DROP TABLE IF EXISTS t; ${TABLE}`)).toThrow('must give the table t another name');
  expect(
    read(`${TABLE} DROP TABLE t; CREATE TABLE IF NOT EXISTS u (a int PRIMARY KEY);`).statements,
  ).toHaveLength(3);
});

test('of two versions the newer one is found, and a release is newer than its candidates', () => {
  const versions = [
    '0.3.0',
    '1.0.0-rc',
    '1.0.0-rc.1',
    '1.0.0-rc.2',
    '1.0.0-rc.10',
    '1.0.0',
    '1.0.1',
    '1.9.0',
    '1.10.0',
  ];
  for (const [index, newer] of versions.entries())
    for (const older of versions.slice(0, index))
      expect([newerVersion(older, newer), newerVersion(newer, older)]).toEqual([newer, newer]);
});
