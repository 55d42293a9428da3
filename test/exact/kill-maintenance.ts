import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The arguments of Node that run `maintain-index`: from the sources in the test suite, else as it was compiled. */
const PROGRAM =
  extname(__filename) === '.ts'
    ? [join(__dirname, '../support/run.cjs'), join(__dirname, 'maintain-index.ts')]
    : [join(__dirname, 'maintain-index.js')];

/**
 * Seals and merges an index in a process of its own, which is killed some milliseconds after it has begun. Resolves to whether it was
 * still at work then. `environment` has the settings of the database. Rejects if the process fails by itself.
 */
export async function killMaintenance(
  list: string,
  afterMs: number,
  environment: NodeJS.ProcessEnv,
): Promise<boolean> {
  const child = spawn(process.execPath, [...PROGRAM, list], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exit = once(child, 'exit') as Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  try {
    await Promise.race([once(child.stdout, 'data'), exit]);
    await Promise.race([sleep(afterMs), exit]);
  } finally {
    child.kill('SIGKILL');
  }
  const [code, signal] = await exit;
  if (signal !== 'SIGKILL' && code !== 0)
    throw new Error(
      `The maintenance of ${list} must end with 0 or by a kill, but ended with ${code ?? signal}.`,
    );
  return signal === 'SIGKILL' && !output.includes('ended');
}
