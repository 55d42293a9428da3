import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const root = join(__dirname, '..', '..');

let child: ChildProcess | undefined;
afterEach(() => child?.kill('SIGKILL'));

/** Starts a program that has a log, a pipe by default. Nobody reads its output yet. */
function start(work: string, output: 'pipe' | number = 'pipe') {
  const source = `
    const { readFileSync } = require('node:fs');
    const { transpileModule, ModuleKind } = require('typescript');
    const source = readFileSync('src/kit/server/logger.ts', 'utf8');
    const compilerOptions = { module: ModuleKind.CommonJS, esModuleInterop: true };
    const exported = {};
    new Function('exports', 'require', transpileModule(source, { compilerOptions }).outputText)(exported, require);
    const { createLogger, flushLog } = exported;
    const logger = createLogger('info');
    ${work}`;
  const stdio = ['pipe', output, 'pipe'] as const;
  // Its output is a pipe unless it is a file, which no test reads.
  const started = spawn(process.execPath, ['-e', source], {
    cwd: root,
    stdio: [...stdio],
  }) as ChildProcessWithoutNullStreams;
  child = started;
  return started;
}

test.each([
  ['ends in order', 1000, 'flushLog(logger).then(() => process.exit(3));', 3],
  // These are few, because lines that are being written at such an exit may be lost.
  ['exits at once', 10, 'process.exit(3)', 3],
  ['throws', 10, 'throw new Error("not caught")', 1],
  ['has nothing more to do', 1000, '', 0],
])('a server that %s has written its log', async (_, count, work, status) => {
  const server = start(`for (let n = 0; n < ${count}; n++) logger.info({ n }, 'a line'); ${work}`);
  const [output, exit] = await Promise.all([text(server.stdout), once(server, 'exit')]);
  const lines = output.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { n: number }).n)).toEqual([...Array(count).keys()]);
  expect(exit[0]).toBe(status);
});

test('a line is written while the server goes on', async () => {
  const server = start("logger.info('a line'); setInterval(() => undefined, 1000);");
  const [output] = (await once(server.stdout, 'data')) as [Buffer];
  expect(JSON.parse(String(output))).toMatchObject({ level: 30, msg: 'a line' });
});

test('a server goes on while nobody reads its log', async () => {
  const server = start(`
    let left = 100;
    const timer = setInterval(() => {
      for (let n = 0; n < 20; n++) logger.info('x'.repeat(1000));
      if (--left > 0) return;
      clearInterval(timer);
      process.stderr.write('done');
    }, 1);`);
  const [told] = (await once(server.stderr, 'data')) as [Buffer];
  expect(String(told)).toBe('done');
});

test('a server ends although the reader of its log is gone', async () => {
  const server = start(`
    process.stdin.once('end', () => {
      logger.info('a line');
      flushLog(logger).then(() => process.exit(3));
    }).resume();`);
  server.stdout.destroy();
  await once(server.stdout, 'close');
  server.stdin.end();
  const exit = await once(server, 'exit');
  expect(exit[0]).toBe(3);
});

test('lines that nobody reads are dropped before they fill the memory, and their number is told later', async () => {
  const server = start(`
    for (let n = 0; n < 20000; n++) logger.info('x'.repeat(1000));
    process.stderr.write('done');
    process.stdin.once('end', () => flushLog(logger).then(() => process.exit(3))).resume();`);
  await once(server.stderr, 'data');
  const lines: { level: number; lines?: number }[] = [];
  for await (const line of createInterface({ input: server.stdout })) {
    lines.push(JSON.parse(line) as (typeof lines)[number]);
    // The server may end once it has told, however long that takes.
    if (lines.at(-1)?.level === 40) server.stdin.end();
  }
  const told = lines.at(-1);
  expect(told?.level).toBe(40);
  expect((told?.lines ?? 0) + lines.length - 1).toBe(20_000);
});

// Only Linux has a file that is always full.
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux.each([
  ['ends in order', 'flushLog(logger).then(() => process.exit(3));', 3],
  ['exits at once', 'process.exit(3);', 3],
])('a server whose log cannot be written goes on, and %s', async (_, work, status) => {
  const server = start(
    `
    let left = 20;
    const timer = setInterval(() => {
      logger.info('x'.repeat(1000));
      if (--left > 0) return;
      clearInterval(timer);
      ${work}
    }, 10);`,
    openSync('/dev/full', 'w'),
  );
  expect((await once(server, 'exit'))[0]).toBe(status);
});
