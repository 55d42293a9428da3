import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCommand } from '../src/commands/command';
import { runCommand } from './support/run-command';

const root = mkdtempSync(join(tmpdir(), 'murmuration-commands-'));
afterAll(() => {
  rmSync(root, { recursive: true });
});

test.each([
  ['an option that there is not', ['--nope'], 2],
  ['too many arguments', ['x'], 2],
  ['a request for help', ['--help'], 0],
])('a command that is called with %s ends with the right status', (_, args, status) => {
  const exit = jest.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  expect(() => createCommand('some').parse(args, { from: 'user' })).toThrow(`exit ${status}`);
  expect(exit).toHaveBeenCalledWith(status);
  jest.restoreAllMocks();
});

test('every command is created so', () => {
  const sources = join(__dirname, '..');
  const files = ['src', 'bench', 'test/crash', 'test/exact'].flatMap((folder) =>
    readdirSync(join(sources, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file)),
  );
  const creating = files.filter((file) => readFileSync(join(sources, file), 'utf8').includes('new Command('));
  expect(creating).toEqual(['src/commands/command.ts']);
});

test('every command finds its database in one way', () => {
  const folder = join(__dirname, '../src/commands');
  const opening = readdirSync(folder).filter((file) =>
    readFileSync(join(folder, file), 'utf8').includes('openDatabase'),
  );
  expect(opening).toEqual(['run-command.ts']);
});

test.each([
  ['moderate', [], '\nUsage: npm run moderate -- '],
  ['token', [], '\nUsage: npm run --silent token -- '],
  ['moderate', ['show'], 'show needs a target: show TARGET'],
  ['moderate', ['suspend', 'ada'], 'suspend needs a target and --reason'],
  ['import', ['--format', 'nope', __filename], "argument 'nope' is invalid. Allowed choices are follows, "],
])('%s %j says what is wrong, and looks for no database', async (name, args, message) => {
  const { status, said } = await runCommand({ DATA_DIR: '/proc/data' }, name, ...args);
  expect([status, said]).toEqual([2, expect.stringContaining(message)]);
});

test('a command for a database that is not there starts none, and says so', async () => {
  const commands: [string[], number][] = [
    [['status'], 1],
    [['token', 'ada'], 1],
    [['rebuild', 'all'], 2],
    [['moderate', 'list'], 2],
  ];
  await Promise.all(
    commands.map(async ([[name = '', ...args], status]) => {
      const dataDir = mkdtempSync(join(root, 'no-database-'));
      const ended = await runCommand({ DATA_DIR: dataDir }, name, ...args);
      expect(ended).toEqual({
        status,
        said: expect.stringContaining(`There is no database in ${dataDir}`) as string,
      });
      expect(readdirSync(dataDir)).toEqual([]);
    }),
  );
});

test('a command that cannot write its file says why, and starts nothing', async () => {
  const commands = [
    ['import', __filename, '--rejects', '/proc/rejects.csv'],
    ['export', 'ada', '/proc/ada.zip'],
  ] as const;
  await Promise.all(
    commands.map(async ([name, ...args]) => {
      const dataDir = mkdtempSync(join(root, 'no-database-'));
      const ended = await runCommand({ DATA_DIR: dataDir }, name, ...args);
      expect(ended).toEqual({
        status: 2,
        said: expect.stringMatching(/^.*, open '\/proc\/.*'\n$/) as string,
      });
      expect(readdirSync(dataDir)).toEqual([]);
    }),
  );
});

test('an export removes what a killed one has left, also one of the same process id, as in a container', () => {
  const dataDir = mkdtempSync(join(root, 'no-database-'));
  const file = join(root, 'ada.zip');
  const command = [
    join(__dirname, 'support/run.cjs'),
    join(__dirname, '../src/commands/export.ts'),
    'ada',
    file,
  ];
  const { stderr } = spawnSync(
    'sh',
    ['-c', 'touch "$0.$$.partial" && exec "$@"', file, process.execPath, ...command],
    { env: { PATH: process.env['PATH'], DATA_DIR: dataDir }, encoding: 'utf8' },
  );
  expect(stderr).toContain(`There is no database in ${dataDir}`);
  expect(readdirSync(root).filter((name) => name.startsWith('ada.zip'))).toEqual([]);
});
