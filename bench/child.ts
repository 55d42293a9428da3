import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program that runs in its own process. */
export interface Child {
  /** The CPU seconds that it has used. */
  cpu(): Promise<number>;
  /** The bytes of its heap that are in use; without garbage if it runs with `--expose-gc`. */
  heap(): Promise<number>;
  /** Resolves to the seconds it ran, when it has ended. Rejects if its exit status is not 0. */
  ended(): Promise<number>;
  stop(): Promise<void>;
  /** Kills it without a warning. */
  kill(): Promise<void>;
}

/** The children that run. They end with this process, also if it is interrupted. */
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts a compiled program, given by its path below dist/. */
export function startChild(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  flags: readonly string[],
): Child {
  const started = performance.now();
  const child = fork(join(__dirname, '..', program), [...args], {
    env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'error', ...env },
    execArgv: [...flags, '--require', join(__dirname, 'report-cpu.js')],
    stdio: ['ignore', 'ignore', process.env['LOG_LEVEL'] === 'debug' ? 'inherit' : 'ignore', 'ipc'],
  });
  children.add(child);
  const exit = once(child, 'exit');
  child.once('exit', () => children.delete(child));
  return {
    cpu: () => ask(child, 'cpu'),
    heap: () => ask(child, 'heap'),
    async ended() {
      const [code] = (await exit) as [number | null];
      if (code !== 0) throw new Error(`${program} must exit with status 0, but got: ${String(code)}`);
      return (performance.now() - started) / 1000;
    },
    async stop() {
      child.kill('SIGTERM');
      await exit;
    },
    async kill() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

async function ask(child: ChildProcess, what: 'cpu' | 'heap'): Promise<number> {
  child.send(what);
  const [answer] = (await once(child, 'message')) as [number];
  return answer;
}

/** Waits until a server answers. Throws if it does not within 30 seconds. */
export async function answering(url: string, request?: RequestInit): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await fetch(url, request).catch(() => null);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`${url} must answer within 30 s, but does not`);
}
