import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { freePorts } from '../src/tools/embedded/ports';
import { authorization, JWT_AUDIENCE, JWT_SECRET } from './support/harness';
import { keyspaceOf } from './support/keyspaces';

const POST =
  'mutation ($content: String!) { createTweet(input: { content: $content }) { tweet { tweetId } } }';

const folder = mkdtempSync(join(tmpdir(), 'murmuration-workers-'));
const log = join(folder, 'log');
let environment: NodeJS.ProcessEnv;
let server: ChildProcess | undefined;

/**
 * Starts two server processes and what they share. Their output goes to a file. Their Cassandra is that of the run; with `npm run test:nodes`
 * they start an embedded one.
 */
function start(to: string, settings: NodeJS.ProcessEnv = {}): ChildProcess {
  const output = openSync(to, 'a');
  const program = [join(__dirname, 'support/run.cjs'), 'src/main.ts', '--empty'];
  return spawn(process.execPath, program, {
    env: { ...environment, ...settings },
    stdio: ['ignore', output, output],
  });
}

beforeAll(async () => {
  const { native: port, storage: operationsPort } = await freePorts(['127.0.0.1']);
  environment = {
    ...process.env,
    CASSANDRA_KEYSPACE: keyspaceOf('workers', 0),
    ...{ WORKERS: '2', DATA_DIR: folder, PORT: String(port), OPERATIONS_PORT: String(operationsPort) },
    ...{ JWT_SECRET, JWT_AUDIENCE, SUBSCRIPTION_READ_SECONDS: '1', LOG_LEVEL: 'info' },
  };
  server = start(log);
  await untilHealth({ status: 'ready', writes: true, workers: { ready: 2, of: 2 } });
  await ask('mutation { createUser(input: { username: "ada", name: "Ada" }) { user { username } } }');
});

afterAll(async () => {
  // A second signal would end it before its Cassandra.
  if (server?.exitCode === null && !server.killed) server.kill();
  while (server?.exitCode === null) await sleep(50);
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly data: unknown;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

/** Asks over a connection of its own, so that the process is another one each time. */
async function ask(query: string, variables = {}): Promise<Answer> {
  return (await begin()).ask(query, variables);
}

/** A request that a process has taken and whose body is still to come. */
interface Begun {
  readonly ask: (query: string, variables?: object) => Promise<Answer>;
}

/** Sends a request without its body. Resolves when a process has taken it: before, a process that ends may still reset it. */
async function begin(): Promise<Begun> {
  const sent = request({
    ...{ port: environment['PORT'], method: 'POST', path: '/graphql', agent: new Agent(), timeout: 20_000 },
    headers: {
      ...{ 'content-type': 'application/json', authorization: await authorization('1') },
      ...{ 'transfer-encoding': 'chunked', expect: '100-continue' },
    },
  });
  sent.on('timeout', () => sent.destroy(new Error('no answer came')));
  sent.flushHeaders();
  await once(sent, 'continue');
  return {
    async ask(query, variables = {}) {
      sent.end(JSON.stringify({ query, variables }));
      const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
      return JSON.parse(await text(response)) as Answer;
    },
  };
}

/** Posts a tweet. Resolves to the number of the server that answered, which is a part of the id. */
async function post(content: string): Promise<bigint> {
  const { data } = await ask(POST, { content });
  const { createTweet } = data as { createTweet: { tweet: { tweetId: string } } };
  return (BigInt(createTweet.tweet.tweetId) >> 12n) & 1023n;
}

async function operations(path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${environment['OPERATIONS_PORT'] ?? ''}${path}`);
  return response.text();
}

async function untilHealth(expected: object): Promise<void> {
  while ((await operations('/health/ready').catch(() => '')) !== JSON.stringify(expected)) await sleep(100);
}

/** The value of a metric without labels, or with the one that is given. */
async function metric(name: string): Promise<number> {
  const line = (await operations('/metrics'))
    .split('\n')
    .find((candidate) => candidate.startsWith(`${name} `));
  return Number(line?.split(' ').at(-1));
}

/** The process ids of those that said that they are ready, in the order of the log. */
function readyProcesses(): number[] {
  const lines = readFileSync(log, 'utf8').split('\n');
  return lines
    .filter((line) => line.includes('"msg":"ready"'))
    .map((line) => (JSON.parse(line) as { pid: number }).pid);
}

test('requests are answered by both processes, and metrics count those of both', async () => {
  const counter = 'murmuration_graphql_request_duration_seconds_count{status="200"}';
  const before = await metric(counter);
  const numbers = new Set<bigint>();
  for (let n = 0; n < 10; n++) numbers.add(await post(`number ${n}`));
  expect(numbers.size).toBe(2);
  expect(await metric(counter)).toBe(before + 10);
  expect(await metric('murmuration_workers_ready')).toBe(2);
});

test('a subscription is given what both processes write', async () => {
  const url = `ws://127.0.0.1:${environment['PORT'] ?? ''}/graphql`;
  const client = createClient({ url, webSocketImpl: WebSocket, lazy: false });
  const given: string[] = [];
  const isSubscribed = new Promise((resolve) => client.on('message', resolve));
  client.subscribe<{ tweetPosted: { node: { content: string } } }>(
    { query: 'subscription { tweetPosted(username: "ada") { node { content } } }' },
    {
      next: ({ data }) => given.push(data?.tweetPosted.node.content ?? ''),
      error: (error) => given.push(String(error)),
      complete: () => undefined,
    },
  );
  await isSubscribed;
  while ((await metric('murmuration_subscriptions_open')) === 0) await sleep(50);
  const sent = ['one', 'two', 'three', 'four'];
  const numbers = new Set<bigint>();
  for (const content of sent) numbers.add(await post(content));
  while (given.length < sent.length) await sleep(50);
  // Those of another process may come after later ones of its own.
  expect(given.sort()).toEqual(sent.sort());
  expect(numbers.size).toBe(2);
  await client.dispose();
});

test('only what a killed process was answering is lost, and another process takes its place', async () => {
  const [killed = 0] = readyProcesses();
  const failures: unknown[] = [];
  const underWay = new Set<Promise<void>>();
  let isDone = false;
  const traffic = async () => {
    while (!isDone) {
      const answered = ask('{ user(username: "ada") { name } }').then(
        () => undefined,
        (error: unknown) => void failures.push(error),
      );
      underWay.add(answered);
      await answered;
      underWay.delete(answered);
    }
  };
  const callers = Array.from({ length: 8 }, traffic);
  await sleep(300);
  process.kill(killed, 'SIGKILL');
  while (readyProcesses().length < 3) await sleep(50);
  await untilHealth({ status: 'ready', writes: true, workers: { ready: 2, of: 2 } });
  isDone = true;
  await Promise.all(callers);
  expect(failures.length).toBeLessThanOrEqual(8);
  expect(failures.map(String).filter((failure) => !/ECONNRESET|socket hang up/.test(failure))).toEqual([]);
  expect(await metric('murmuration_worker_restarts_total')).toBe(1);
  const numbers = new Set<bigint>();
  for (let n = 0; n < 10; n++) numbers.add(await post(`again ${n}`));
  expect(numbers.size).toBe(2);
});

test('while one process hangs, a load balancer that waits for some two seconds finds the machine ready', async () => {
  const hanging = readyProcesses().at(-1) ?? 0;
  const probe = async () => {
    const url = `http://127.0.0.1:${environment['OPERATIONS_PORT'] ?? ''}/health/ready`;
    const response = await fetch(url, { signal: AbortSignal.timeout(2500) });
    return (await response.json()) as { readonly workers: unknown };
  };
  process.kill(hanging, 'SIGSTOP');
  try {
    // One may come to the process that hangs. The next comes when a question that others may have asked is over.
    const found = await probe().catch(() => sleep(3500).then(probe));
    expect(found).toMatchObject({ status: 'ready', workers: { ready: 1, of: 2 } });
  } finally {
    process.kill(hanging, 'SIGCONT');
  }
  await untilHealth({ status: 'ready', writes: true, workers: { ready: 2, of: 2 } });
});

test('a port that is taken is told once, and ends the start', async () => {
  const second = join(folder, 'second');
  const [status] = (await once(start(second, { OPERATIONS_PORT: '' }), 'exit')) as [number];
  expect(status).toBe(1);
  expect(readFileSync(second, 'utf8').match(/PORT \d+ of HOST 127.0.0.1 cannot be used/g)).toHaveLength(1);
});

test('a signal to the whole group, as of a terminal or systemd, ends all processes in order, when they have answered', async () => {
  const processes = readyProcesses().slice(-2);
  const begun = await Promise.all(Array.from({ length: 10 }, begin));
  for (const pid of [server?.pid ?? 0, ...processes]) process.kill(pid, 'SIGTERM');
  while (shuttingDown() < 2) await sleep(10);
  const answers = await Promise.all(begun.map(({ ask }, n) => ask(POST, { content: `last ${n}` })));
  expect(answers.filter(({ errors }) => errors)).toEqual([]);
  while (server?.exitCode === null) await sleep(50);
  expect(server?.exitCode).toBe(0);
  for (const pid of processes) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  expect(shuttingDown()).toBe(2);
});

/** How many processes have said that they end. */
function shuttingDown(): number {
  return readFileSync(log, 'utf8').split('"msg":"shutting down"').length - 1;
}
