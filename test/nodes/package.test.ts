import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { testWithJava } from './with-java';
import { devDependencies } from '../../package.json';

const root = join(__dirname, '../..');

/** A project that knows nothing of this repository. */
let project: string;
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'murmuration-package-'));
});
afterEach(() => rm(project, { recursive: true, force: true }));

testWithJava(
  'a new project installs the packed kit, and compiles, starts and tests the server of its README',
  async () => {
    const tarball = (await run(root, process.execPath, 'scripts/pack.mjs')).trim();
    await run(project, 'npm', 'init', '-y');
    await run(project, 'npm', 'install', '--no-audit', '--no-fund', tarball);
    await run(
      project,
      'npm',
      'install',
      '--no-audit',
      '--no-fund',
      '--save-dev',
      devDependencies['typescript-native'].replace(/^npm:/, ''),
      `@types/node@${devDependencies['@types/node']}`,
    );
    const installed = join(project, 'node_modules/murmuration');
    expect(await readFile(join(installed, 'LICENSE'), 'utf8')).toMatch(/^MIT License/);
    const files = filesIn(await readFile(join(installed, 'README.md'), 'utf8'));
    expect(files.map(([path]) => path)).toContain('src/server.test.ts');
    for (const [path, text] of files) {
      await mkdir(dirname(join(project, path)), { recursive: true });
      await writeFile(join(project, path), text);
    }
    await run(project, 'npx', '--no-install', 'tsc');
    await whileServed(async (url) => {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ first: note(number: 1), second: note(number: 2) }' }),
      });
      expect(await response.json()).toEqual({ data: { first: 'Hello!', second: null } });
      expect(await textAt(`${url}/graphiql`)).toContain('/graphiql/assets/');
      expect(await textAt(`${url}/model`)).toContain('What does the note with this number say?');
      // The tests use the Cassandra that the server has started.
      expect(await run(project, process.execPath, '--test', 'dist/server.test.js')).toMatch(/^. pass 1$/m);
    });
  },
  600_000,
);

/** The files that a page shows: each is a block of code below a line with its path. */
function filesIn(page: string): (readonly [path: string, text: string])[] {
  return [...page.matchAll(/^`([^`]+)`:\n\n```\w+\n([^]*?)^```$/gm)].map(([, path = '', text = '']) => [
    path,
    text,
  ]);
}

/** Runs a program in a folder, without what jest sets. Resolves to its output; throws if it fails. */
async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  const ran = promisify(execFile)(command, args, { cwd, env: environment() });
  const { stdout } = await ran.catch((error: unknown) => {
    const { message, stdout: said } = error as Error & { readonly stdout: string };
    throw new Error(`${message}\n${said}`);
  });
  return stdout;
}

function environment(): NodeJS.ProcessEnv {
  const { NODE_ENV: _, ...env } = process.env;
  return { ...env, PORT: '0', GRAPHIQL: 'true', PATH: `${dirname(process.execPath)}:${env['PATH'] ?? ''}` };
}

async function textAt(url: string): Promise<string> {
  const response = await fetch(url);
  expect([url, response.status]).toEqual([url, 200]);
  return response.text();
}

/** Starts the server of the project, does some work with its address, and ends it. */
async function whileServed(work: (url: string) => Promise<void>): Promise<void> {
  const server = spawn(process.execPath, ['dist/main.js'], {
    cwd: project,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  try {
    let graphql: string | undefined;
    for await (const line of createInterface(server.stdout)) {
      ({ graphql } = JSON.parse(line) as { readonly graphql?: string });
      if (graphql !== undefined) break;
    }
    server.stdout.resume();
    if (graphql === undefined) throw new Error('The server must start, but ended: see what it said above.');
    await work(graphql.replace(/\/graphql$/, ''));
  } finally {
    server.kill('SIGINT');
    await ended;
  }
  expect(await ended).toEqual([0, null]);
}
