import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../src/kit/embedded/ports';

/** How long a NATS server may take to start. */
const MAX_START_MS = 10_000;

/** A real NATS server with JetStream, which can be killed and started again at the same address. */
export interface NatsServer {
  readonly url: string;
  /** Kills it without a warning. */
  kill(): Promise<void>;
  /** Starts it again: with the data that it had, or without any. */
  start(data: 'kept' | 'lost'): Promise<void>;
  /** Kills it, and removes its data. */
  stop(): Promise<void>;
}

/** The path of the nats-server of this machine: `NATS_SERVER_BIN`, else the one on the `PATH`; null if there is none. */
export function findNatsServer(): string | null {
  const path = process.env['NATS_SERVER_BIN'] || 'nats-server';
  return spawnSync(path, ['--version']).status === 0 ? path : null;
}

/** Why tests with NATS are left out; null if they can run. */
export const whyNoNats =
  findNatsServer() === null
    ? 'there is no nats-server: install the package nats-server, or set NATS_SERVER_BIN to its path'
    : null;

/** `describe` for tests that need NATS. Where there is none, they are skipped, and their title says why. */
export function describeWithNats(title: string, tests: () => void): void {
  if (whyNoNats === null) describe(title, tests);
  else describe.skip(`${title} (left out: ${whyNoNats})`, tests);
}

/** Starts a NATS server on a free port of this machine, with its data in a temporary folder; without JetStream if so asked. */
export async function startNatsServer(withJetStream = true): Promise<NatsServer> {
  const binary = findNatsServer();
  if (binary === null) throw new Error(whyNoNats ?? '');
  const { native: port } = await freePorts(['127.0.0.1']);
  const folder = await mkdtemp(join(tmpdir(), 'murmuration-nats-'));
  let child: ChildProcess | undefined;
  const kill = async () => {
    const killed = child;
    child = undefined;
    if (killed === undefined || killed.exitCode !== null) return;
    const exit = once(killed, 'exit');
    killed.kill('SIGKILL');
    await exit;
  };
  const start = async (data: 'kept' | 'lost') => {
    if (data === 'lost') await rm(folder, { recursive: true, force: true });
    const started = spawn(
      binary,
      [
        '--addr',
        '127.0.0.1',
        '--port',
        String(port),
        ...(withJetStream ? ['--jetstream', '--store_dir', folder] : []),
      ],
      { stdio: 'ignore' },
    );
    child = started;
    const until = Date.now() + MAX_START_MS;
    while (!(await answers(port))) {
      await sleep(20);
      if (Date.now() > until || started.exitCode !== null)
        throw new Error(`nats-server must answer on port ${port} within ${MAX_START_MS} ms`);
    }
  };
  await start('lost');
  // Even if the tests end in the middle, the server does not outlive them.
  process.once('exit', () => child?.kill('SIGKILL'));
  return {
    url: `nats://127.0.0.1:${port}`,
    kill,
    start,
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
      .once('data', () => {
        socket.destroy();
        resolve(true);
      })
      .once('error', () => {
        resolve(false);
      });
  });
}
