import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../src/tools/embedded/ports';
import { startNatsContainer, type NatsContainer } from './nats-container';

/** How long a NATS server may take to start. */
const MAX_START_MS = 10_000;
/** The user of a server in a container, and its password. */
const CONTAINER_USER = 'test';

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

/** How a NATS server can be run here: the path of its program, or `container`. */
const available = findNatsServer();

/** Why tests with NATS are left out; null if they can run. */
export const whyNoNats =
  available === null
    ? 'there is neither a nats-server nor a Docker engine: install the package nats-server, or set NATS_SERVER_BIN to its path'
    : null;

/** `describe` for tests that need NATS. Where there is none, they are skipped, and their title says why. */
export function describeWithNats(title: string, tests: () => void): void {
  if (whyNoNats === null) describe(title, tests);
  else describe.skip(`${title} (left out: ${whyNoNats})`, tests);
}

/**
 * Starts a NATS server on a free port of this machine, with its data in a temporary folder or in a container; without JetStream
 * if so asked.
 */
export async function startNatsServer(withJetStream = true): Promise<NatsServer> {
  if (available === null) throw new Error(whyNoNats ?? '');
  const { native: port } = await freePorts(['127.0.0.1']);
  return available === 'container'
    ? startInContainer(port, withJetStream)
    : startProgram(available, port, withJetStream);
}

/**
 * The path of the nats-server of this machine: `NATS_SERVER_BIN`, else the one on the `PATH`; else `container` if a Docker engine
 * answers; null if there is none of them.
 */
function findNatsServer(): string | null {
  const path = process.env['NATS_SERVER_BIN'] || 'nats-server';
  if (spawnSync(path, ['--version']).status === 0) return path;
  return spawnSync('docker', ['version']).status === 0 ? 'container' : null;
}

async function startInContainer(port: number, withJetStream: boolean): Promise<NatsServer> {
  let container: NatsContainer | undefined;
  const remove = async () => {
    const removed = container;
    container = undefined;
    await removed?.remove();
  };
  const start = async (data: 'kept' | 'lost') => {
    if (data === 'lost') await remove();
    if (container) await container.start();
    else container = await startNatsContainer(port, CONTAINER_USER, withJetStream);
    await answering(port);
  };
  await start('lost');
  return {
    url: `nats://${CONTAINER_USER}:${CONTAINER_USER}@127.0.0.1:${port}`,
    kill: async () => container?.kill(),
    start,
    stop: remove,
  };
}

async function startProgram(path: string, port: number, withJetStream: boolean): Promise<NatsServer> {
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
      path,
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
    await answering(port, () => started.exitCode !== null);
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

/** Resolves when a NATS server answers on a port of this machine. */
async function answering(port: number, hasEnded: () => boolean = () => false): Promise<void> {
  const until = Date.now() + MAX_START_MS;
  while (!(await answers(port))) {
    await sleep(20);
    if (Date.now() > until || hasEnded())
      throw new Error(`nats-server must answer on port ${port} within ${MAX_START_MS} ms`);
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
      .once('data', () => {
        socket.destroy();
        resolve(true);
      })
      // A Docker engine accepts connections before the server in the container does, and closes them.
      .once('close', () => {
        resolve(false);
      })
      .on('error', () => undefined);
  });
}
