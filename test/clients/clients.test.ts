import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { authorization } from '../support/harness';
import { startServerProcess, type ServerProcess } from '../support/server-process';

const folder = join(__dirname, '../../examples/clients');
const POST = 'mutation ($content: String!) { createTweet(input: { content: $content }) { tweet { id } } }';

/** A client in another language: how it is generated, and run. */
interface Client {
  readonly name: string;
  /** The program that must be on the path. */
  readonly tool: string;
  /** Commands, run in the client's folder, one after another; the last one is the client. */
  readonly commands: readonly (readonly [string, ...string[]])[];
}

const root = mkdtempSync(join(tmpdir(), 'murmuration-clients-'));
const python = join(root, 'python');
const clients: readonly Client[] = [
  {
    name: 'python',
    tool: 'python3',
    commands: [
      ['python3', '-m', 'venv', python],
      [join(python, 'bin/pip'), 'install', '--quiet', 'ariadne-codegen[subscriptions]==0.19.0'],
      [join(python, 'bin/ariadne-codegen')],
      [join(python, 'bin/python'), 'main.py'],
    ],
  },
  {
    name: 'go',
    tool: 'go',
    commands: [
      ['go', 'tool', 'genqlient'],
      ['go', 'run', '.'],
    ],
  },
  {
    name: 'urql',
    tool: 'npm',
    commands: [
      ['npm', 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
      [process.execPath, 'node_modules/gql.tada/bin/cli.js', 'generate-output'],
      [process.execPath, 'node_modules/typescript/bin/tsc', '-p', '.'],
      [process.execPath, 'main.ts'],
    ],
  },
  {
    name: 'relay',
    tool: 'npm',
    commands: [
      ['npm', 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
      ['mkdir', '-p', 'murmuration'],
      [process.execPath, 'node_modules/relay-compiler/cli.js'],
      [process.execPath, 'node_modules/typescript/bin/tsc', '-p', '.'],
      // What the compiler writes names no endings of files, so the client must be bundled, as pages are.
      [
        'node_modules/.bin/esbuild',
        ...['main.ts', '--bundle', '--platform=node', '--format=esm', '--packages=external'],
        '--outfile=murmuration/main.mjs',
      ],
      [process.execPath, 'murmuration/main.mjs'],
    ],
  },
  {
    name: 'kotlin',
    tool: 'mvn',
    commands: [
      ['mvn', '--batch-mode', '--quiet', 'compile'],
      ['java', '-cp', ['target/classes', 'target/dependency/*'].join(delimiter), 'murmuration.MainKt'],
    ],
  },
];

let server: ServerProcess;
let people: { readonly id: string }[];
beforeAll(async () => {
  server = await startServerProcess();
  people = [await server.signUp('ada'), await server.signUp('bo')];
  await server.ask('ada', 'mutation ($id: ID!) { followUser(id: $id) { follower { id } } }', {
    id: people[1]?.id,
  });
  for (let n = 1; n <= 5; n++) await server.ask('bo', POST, { content: `Number ${n}` });
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

function isOnPath(tool: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((place) => existsSync(join(place, tool)));
}

for (const { name, tool, commands } of clients) {
  // Whoever runs this sees in the list of tests what was left out, and what would be needed.
  const run = isOnPath(tool) ? test : test.skip;
  run(`the client in ${name}, for which ${tool} is needed, is generated, compiled and runs`, async () => {
    for (const command of commands.slice(0, -1)) {
      const [status, said] = await finish(name, command);
      if (status !== 0) throw new Error(`${command.join(' ')} must succeed, but said: ${said}`);
    }
    const before = await timeline();
    const told = await tell(name, commands.at(-1) ?? ['true']);
    expect(told).toEqual({
      timeline: before,
      posted: expect.stringMatching(/^Hello from /) as string,
      code: 'BAD_USER_INPUT',
      listening: true,
      event: `For ${name}`,
    });
  });
}

async function timeline(): Promise<string[]> {
  const query = '{ viewer { timeline(first: 100) { nodes { content } } } }';
  const { viewer } = await server.ask<{ viewer: { timeline: { nodes: { content: string }[] } } }>(
    'ada',
    query,
  );
  return viewer.timeline.nodes.map(({ content }) => content);
}

async function environment(): Promise<NodeJS.ProcessEnv> {
  const token = (await authorization('ada')).replace('Bearer ', '');
  return { ...process.env, API_URL: server.api, TOKEN: token };
}

/** Runs a command. Resolves to its status and what it said. */
async function finish(name: string, [command, ...args]: readonly string[]): Promise<[number | null, string]> {
  const child = spawn(command ?? '', args, { cwd: join(folder, name), stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (said += String(data)));
  const [status] = (await once(child, 'close')) as [number | null];
  return [status, said];
}

/** Runs a client, posts a tweet once it listens, and resolves to all that it told. */
async function tell(name: string, [command, ...args]: readonly string[]): Promise<object> {
  const child = spawn(command ?? '', args, {
    cwd: join(folder, name),
    env: await environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const told: Record<string, unknown> = {};
  for await (const line of createInterface(child.stdout)) {
    Object.assign(told, JSON.parse(line) as object);
    if (line.includes('listening')) await server.ask('bo', POST, { content: `For ${name}` });
  }
  return told;
}
