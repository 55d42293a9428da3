import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { systemCode } from './errors';

/** A process that cannot be mistaken for a later one that was given the same number. */
export interface ProcessMark {
  readonly pid: number;
  /** When it started, in whatever form this system tells it. */
  readonly started: string;
}

/** A running program and the words it was started with. */
export interface Running extends ProcessMark {
  readonly command: string;
}

const proc = process.platform === 'linux';

/** Where arguments meet in `Running.command`: /proc keeps them apart, `ps` only knows spaces. */
export const separator = proc ? '\0' : ' ';

/** Marks this process, for others to see whether it still lives. */
export async function markSelf(): Promise<ProcessMark> {
  const started = await startOf(process.pid);
  if (started === undefined) throw new Error(`This process (${process.pid}) must be listed, but is not`);
  return { pid: process.pid, started };
}

/** Reads a file that holds what `markSelf` gave, as JSON; undefined when it holds anything else or is not there. */
export async function readMark(path: string): Promise<ProcessMark | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof value !== 'object' || value === null || !('pid' in value && 'started' in value))
      return undefined;
    const { pid, started } = value;
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether exactly that process still runs. */
export async function lives(mark: ProcessMark): Promise<boolean> {
  return (await startOf(mark.pid)) === mark.started;
}

/** What runs under this number now; undefined when nothing does, or only the unreaped remains of it. */
export async function runningAt(pid: number): Promise<Running | undefined> {
  const started = await startOf(pid);
  const command = await commandOf(pid);
  return started === undefined || command === undefined ? undefined : { pid, started, command };
}

/** Every running program whose command contains all of the words. */
export async function findRunning(...words: readonly string[]): Promise<Running[]> {
  const pids = proc
    ? (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
    : await listPs(words);
  const found: Running[] = [];
  for (const pid of pids) {
    const command = await commandOf(pid);
    if (command === undefined || !words.every((word) => command.includes(word))) continue;
    const running = await runningAt(pid);
    if (running?.command === command) found.push(running);
  }
  return found;
}

/** Ends a process: asks, waits for `patience` milliseconds, then kills. Never a later one of the same number. */
export async function endProcess(mark: ProcessMark, patience: number): Promise<void> {
  if (await lives(mark)) send(mark.pid, 'SIGTERM');
  if (!(await gone(mark, patience))) await killProcess(mark);
}

/** Kills a process and waits until it is gone. Never a later one of the same number. */
export async function killProcess(mark: ProcessMark): Promise<void> {
  if (await lives(mark)) send(mark.pid, 'SIGKILL');
  if (!(await gone(mark, 10_000))) throw new Error(`Process ${mark.pid} must end on SIGKILL, but does not`);
}

async function gone(mark: ProcessMark, patience: number): Promise<boolean> {
  const until = Date.now() + patience;
  while (await lives(mark)) {
    if (Date.now() > until) return false;
    await sleep(25);
  }
  return true;
}

/** Signals a process; one that is gone already needs none. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error;
  }
}

async function startOf(pid: number): Promise<string | undefined> {
  if (!proc) return (await ps('-o', 'lstart=', '-p', `${pid}`))?.trim() || undefined;
  const stat = await read(`/proc/${pid}/stat`);
  // The program's name comes in brackets and may contain anything; state is field 3, the start in ticks field 22.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields?.[0] === undefined || 'ZX'.includes(fields[0])) return undefined;
  return `${(await read('/proc/sys/kernel/random/boot_id'))?.trim() ?? ''}:${fields[19] ?? ''}`;
}

async function commandOf(pid: number): Promise<string | undefined> {
  const command = proc
    ? await read(`/proc/${pid}/cmdline`)
    : await ps('-ww', '-o', 'command=', '-p', `${pid}`);
  return command === '' ? undefined : command;
}

async function listPs(words: readonly string[]): Promise<number[]> {
  const lines = ((await ps('-A', '-ww', '-o', 'pid=,command=')) ?? '').split('\n');
  return lines
    .filter((line) => words.every((word) => line.includes(word.trim())))
    .map((line) => Number.parseInt(line));
}

async function ps(...options: string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('ps', options, {
      maxBuffer: 64 << 20,
      env: { ...process.env, LC_ALL: 'C' },
    });
    return stdout.replace(/\n$/, '');
  } catch {
    return undefined;
  }
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
