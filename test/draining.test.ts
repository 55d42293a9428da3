import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../src/tools/embedded/ports';
import { startHarness, type Harness } from './support/harness';

let database: Harness;
const ends: (() => unknown)[] = [];
beforeAll(async () => {
  database = await startHarness({}, undefined, { held: true });
});
afterEach(() => Promise.all(ends.splice(0).map((end) => end())));
afterAll(() => database.close());

/** Starts a server in a process of its own, whose log is a pipe. */
function spawnServer(port: number, environment: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [join(__dirname, 'support/run.cjs'), 'src/main.ts'], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      CASSANDRA_KEYSPACE: database.config.cassandra.keyspace,
      PORT: String(port),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  ends.push(() => child.kill('SIGKILL'));
  return { child, ended };
}

/** The same, and waits until it is ready. */
async function start(environment: NodeJS.ProcessEnv) {
  const { native: port } = await freePorts(['127.0.0.1']);
  const { child, ended } = spawnServer(port, environment);
  child.stdout.resume();
  const url = `http://127.0.0.1:${port}`;
  const health = async () => {
    const response = await fetch(`${url}/health/ready`);
    return { code: response.status, ...((await response.json()) as object) };
  };
  while ((await health().catch(() => null))?.code !== 200) await sleep(100);
  const ask = async () =>
    (await fetch(`${url}/graphql?query=${encodeURIComponent('{ __typename }')}`)).json();
  return { child, ended, health, ask };
}

test('a server that is told to stop is not ready at once, and answers on until it ends in order', async () => {
  const { child, ended, health, ask } = await start({ DRAIN_SECONDS: '3' });
  child.kill('SIGTERM');
  while ((await health()).code === 200) await sleep(20);
  expect(await health()).toEqual({ code: 503, status: 'stopping' });
  let answers = 0;
  for (let isServing = true; isServing;) {
    const answer = await ask().catch(() => null);
    isServing = answer !== null && 'data' in Object(answer);
    if (isServing) answers++;
    await sleep(50);
  }
  // Without draining it would have answered a few at most.
  expect(answers).toBeGreaterThan(10);
  expect(await ended).toEqual([0, null]);
});

test('the same signal again ends it at once', async () => {
  const { child, ended, health } = await start({ DRAIN_SECONDS: '300' });
  child.kill('SIGTERM');
  while ((await health()).code === 200) await sleep(20);
  child.kill('SIGTERM');
  expect(await ended).toEqual([null, 'SIGTERM']);
});

test('Ctrl+C does not wait', async () => {
  const { child, ended } = await start({ DRAIN_SECONDS: '300' });
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
});

test('a server that waits for its cluster ends in order, too', async () => {
  const { native: port } = await freePorts(['127.0.0.1']);
  const nobody = { CASSANDRA_CONTACT_POINTS: `127.0.0.1:${port}`, LOG_LEVEL: 'info' };
  const { child, ended } = spawnServer(port, nobody);
  let log = '';
  for await (const part of child.stdout) {
    log += String(part);
    if (log.includes('Cassandra does not answer yet') && !child.killed) child.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
});
