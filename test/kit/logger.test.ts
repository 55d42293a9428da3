import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

/** A program that logs a line, and then does something else. */
const program = (work: string) => `
  const { readFileSync } = require('node:fs');
  const { transpileModule, ModuleKind } = require('typescript');
  const source = readFileSync('src/kit/server/logger.ts', 'utf8');
  const compilerOptions = { module: ModuleKind.CommonJS, esModuleInterop: true };
  const exported = {};
  new Function('exports', 'require', transpileModule(source, { compilerOptions }).outputText)(exported, require);
  exported.createLogger('info').info('a line');
  ${work}`;

test.each([
  ['exits', 'process.exit(3)', 3],
  ['throws', 'throw new Error("not caught")', 1],
  ['has nothing more to do', '', 0],
])('a server that %s has written its log', async (_, work, status) => {
  const [output, code] = await new Promise<[string, unknown]>((resolve) => {
    execFile(process.execPath, ['-e', program(work)], { cwd: root }, (error, stdout) => {
      resolve([stdout, error?.code ?? 0]);
    });
  });
  expect(JSON.parse(output)).toMatchObject({ level: 30, msg: 'a line' });
  expect(code).toBe(status);
});

test('a line is written while the server goes on', async () => {
  const child = spawn(process.execPath, ['-e', program('setInterval(() => undefined, 1000)')], { cwd: root });
  try {
    const [output] = (await once(child.stdout, 'data')) as [Buffer];
    expect(JSON.parse(String(output))).toMatchObject({ msg: 'a line' });
  } finally {
    child.kill();
  }
});
