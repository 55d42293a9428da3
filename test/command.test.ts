import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCommand } from '../src/commands/command';

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
