import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A PostgreSQL server that the benchmark has started. */
export interface Postgres {
  /** For instance `PostgreSQL 15.14 (Debian …)`. */
  readonly version: string;
  readonly url: string;
  /** Runs SQL with psql, including `COPY … FROM STDIN` with its lines. Rejects if a statement fails. */
  readonly psql: (input: Iterable<string>) => Promise<void>;
  stop(): Promise<void>;
}

/** The user who owns the server's process and files, because PostgreSQL refuses to run as root. */
interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL or PostGraphile is not available; the benchmark itself has no error. */
export class NoPostgres extends Error {}

/** Starts a new, empty server on a free port of this machine. Throws `NoPostgres` if that is not possible. */
export async function startPostgres(): Promise<Postgres> {
  const bin = findPrograms();
  if (bin === null)
    throw new NoPostgres('PostgreSQL is not installed (searched for initdb, postgres, psql and pg_isready)');
  const owner = await findOwner();
  const folder = await mkdtemp(join(tmpdir(), 'murmuration-postgres-'));
  if (owner !== null) await chown(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const as = { cwd: folder, ...owner };
  try {
    const { stdout } = await run(join(bin, 'postgres'), ['--version'], as);
    const initArgs = [
      '-D',
      data,
      '-U',
      'bench',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ];
    await run(join(bin, 'initdb'), initArgs, as).catch((error: unknown) => {
      throw new NoPostgres(`initdb must create a cluster, but failed: ${String(error)}`);
    });
    const port = await freePort();
    const settings = ['shared_buffers=512MB', 'effective_cache_size=2GB', 'maintenance_work_mem=256MB'];
    const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder];
    const server = spawn(
      join(bin, 'postgres'),
      [...args, ...settings.flatMap((setting) => ['-c', setting])],
      {
        ...as,
        stdio: 'ignore',
      },
    );
    const url = `postgres://bench@127.0.0.1:${port}/postgres`;
    const psql = (input: Iterable<string>) => runSql(join(bin, 'psql'), url, input);
    const cancel = endWith(server, folder);
    const stop = async () => {
      cancel();
      if (server.exitCode === null) {
        // Fast shutdown, which closes connections.
        server.kill('SIGINT');
        await once(server, 'exit');
      }
      await rm(folder, { recursive: true, force: true });
    };
    await untilReady(join(bin, 'pg_isready'), port, server).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    return { version: stdout.trim().replace('postgres (PostgreSQL)', 'PostgreSQL'), url, psql, stop };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Ends the server when the benchmark ends in any way but SIGKILL. The returned function cancels that. */
function endWith(server: ChildProcess, folder: string): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const end = () => {
    // Immediate shutdown without a checkpoint, because no data is kept.
    server.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  const leave = () => process.exit(1);
  process.once('exit', end);
  for (const signal of signals) process.once(signal, leave);
  return () => {
    process.off('exit', end);
    for (const signal of signals) process.off(signal, leave);
  };
}

/** The folder of PostgreSQL's programs: on the path, or the newest version where Debian installs them; null if there is none. */
function findPrograms(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  const programs = ['initdb', 'postgres', 'psql', 'pg_isready'];
  return folders.find((folder) => programs.every((name) => existsSync(join(folder, name)))) ?? null;
}

/** The user to run the server as; null if the benchmark is not root and can run it itself. */
async function findOwner(): Promise<Owner | null> {
  if (userInfo().uid !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    const numbers = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]).catch(() => null);
    if (numbers !== null) return { uid: Number(numbers[0].stdout), gid: Number(numbers[1].stdout) };
  }
  throw new NoPostgres('PostgreSQL does not run as root, and there is no user postgres or nobody');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function untilReady(program: string, port: number, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 300 && server.exitCode === null; tries++) {
    const ready = await run(program, ['-h', '127.0.0.1', '-p', String(port)]).catch(() => null);
    if (ready !== null) return;
    await sleep(100);
  }
  throw new NoPostgres('PostgreSQL must be ready within 30 s, but is not');
}

async function runSql(program: string, url: string, input: Iterable<string>): Promise<void> {
  const child = spawn(program, ['-X', '-q', '-v', 'ON_ERROR_STOP=1', url], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (part: Buffer) => (output += String(part)));
  // If psql ends early, its error output says more than the error of its closed input.
  child.stdin.on('error', () => undefined);
  const exit = once(child, 'exit');
  for (const line of input) {
    if (child.exitCode !== null) break;
    if (!child.stdin.write(`${line}\n`)) await Promise.race([once(child.stdin, 'drain'), exit]);
  }
  child.stdin.end();
  const [code] = (await exit) as [number | null];
  if (code !== 0) throw new Error(`psql must succeed, but got: ${output}`);
}
