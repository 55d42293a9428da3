import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCommand } from '../src/commands/command';
import { runCommand } from './run-command';

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
  const folder = join(__dirname, '..', 'src', 'commands');
  const files = readdirSync(folder).filter((file) => file !== 'command.ts');
  expect(files.filter((file) => readFileSync(join(folder, file), 'utf8').includes('new Command('))).toEqual(
    [],
  );
});

test('a command for a database that is not there starts none, and says so', async () => {
  const commands: [string[], number][] = [
    [['status'], 1],
    [['status', '--json'], 1],
    [['token', 'ada'], 1],
    [['token', '--service'], 1],
    [['token', '--new'], 1],
    [['export', 'ada'], 2],
    [['verify'], 2],
    [['recount'], 2],
    [['rebuild', 'all'], 2],
    [['backup', join(tmpdir(), 'no-backup')], 2],
    [['job', 'rankings'], 2],
    [['moderate', 'list'], 2],
    [['moderate', 'show', 'ada'], 2],
  ];
  await Promise.all(
    commands.map(async ([[name = '', ...args], status]) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'no-database-'));
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
      const dataDir = mkdtempSync(join(tmpdir(), 'no-database-'));
      const ended = await runCommand({ DATA_DIR: dataDir }, name, ...args);
      expect(ended).toEqual({ status: 2, said: expect.stringMatching(/^E\w+: .*, open '\/proc\/.*\n$/) as string });
      expect(readdirSync(dataDir)).toEqual([]);
    }),
  );
});
