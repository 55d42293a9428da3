import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Runs a command of `npm run` as a process of its own. Resolves to its exit status and what it said. */
export async function runCommand(
  environment: NodeJS.ProcessEnv,
  name: string,
  ...args: readonly string[]
): Promise<{ status: number | null; said: string }> {
  const child = spawn(
    process.execPath,
    [join(__dirname, 'run.cjs'), join(__dirname, `../../src/commands/${name}.ts`), ...args],
    {
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        JAVA_HOME: process.env['JAVA_HOME'],
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let said = '';
  child.stdout.on('data', (data: Buffer) => (said += String(data)));
  child.stderr.on('data', (data: Buffer) => (said += String(data)));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, said };
}
