import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { systemCode } from './errors';

/** Identifies a process, so that it cannot be mistaken for a later one with the same pid. */
export interface ProcessId {
  readonly pid: number;
  /** When it started, in the form that this system uses. */
  readonly started: string;
}

/** A running process and the command that started it. */
export interface Running extends ProcessId {
  readonly command: string;
}

const proc = process.platform === 'linux';

/** The separator of the arguments in `Running.command`: a null byte in /proc, only a space with `ps`. */
export const separator = proc ? '\0' : ' ';

/** The id of this process, with which others can check whether it still runs. */
export async function ownProcessId(): Promise<ProcessId> {
  const started = await readStartTime(process.pid);
  if (started === undefined) throw new Error(`This process (${process.pid}) must be listed, but is not`);
  return { pid: process.pid, started };
}

/** Reads a file with the id of a process as JSON; undefined if it contains anything else or does not exist. */
export async function readProcessId(path: string): Promise<ProcessId | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof value !== 'object' || value === null || !('pid' in value && 'started' in value))
      return undefined;
    const { pid, started } = value;
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : undefined;
  } catch (error) {
    if (hasNoDescriptor(error)) throw error;
    return undefined;
  }
}

/** Whether exactly this process still runs. */
export async function isAlive(id: ProcessId): Promise<boolean> {
  return (await readStartTime(id.pid)) === id.started;
}

/** The process with this pid; undefined if there is none, or only a zombie. */
export async function runningAt(pid: number): Promise<Running | undefined> {
  const started = await readStartTime(pid);
  const command = await readCommand(pid);
  return started === undefined || command === undefined ? undefined : { pid, started, command };
}

/** All running processes whose command contains all of the words. */
export async function findRunning(...words: readonly string[]): Promise<Running[]> {
  const pids = proc
    ? (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
    : await listPs(words);
  const found: Running[] = [];
  for (const pid of pids) {
    const command = await readCommand(pid);
    if (command === undefined || !words.every((word) => command.includes(word))) continue;
    const running = await runningAt(pid);
    if (running?.command === command) found.push(running);
  }
  return found;
}

/** Ends a process: sends SIGTERM, waits for `patience` milliseconds, then kills it. Never ends a later process with the same pid. */
export async function endProcess(id: ProcessId, patience: number): Promise<void> {
  if (await isAlive(id)) sendSignal(id.pid, 'SIGTERM');
  if (!(await gone(id, patience))) await killProcess(id);
}

/** Kills a process and waits until it is gone. Never kills a later process with the same pid. */
export async function killProcess(id: ProcessId): Promise<void> {
  if (await isAlive(id)) sendSignal(id.pid, 'SIGKILL');
  if (!(await gone(id, 10_000))) throw new Error(`Process ${id.pid} must end on SIGKILL, but does not`);
}

async function gone(id: ProcessId, patience: number): Promise<boolean> {
  const until = performance.now() + patience;
  while (await isAlive(id)) {
    if (performance.now() > until) return false;
    await sleep(25);
  }
  return true;
}

/** Sends a signal to a process; does nothing if the process is gone already. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error;
  }
}

async function readStartTime(pid: number): Promise<string | undefined> {
  if (!proc) return (await ps('-o', 'lstart=', '-p', `${pid}`))?.trim() || undefined;
  const stat = await read(`/proc/${pid}/stat`);
  // The program's name is in brackets and may contain anything. Field 3 is the state, field 22 the start in clock ticks.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields?.[0] === undefined || 'ZX'.includes(fields[0])) return undefined;
  return `${(await read('/proc/sys/kernel/random/boot_id'))?.trim() ?? ''}:${fields[19] ?? ''}`;
}

async function readCommand(pid: number): Promise<string | undefined> {
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
      // Times as they are written do not depend on where the machine is.
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    });
    return stdout.replace(/\n$/, '');
  } catch {
    return undefined;
  }
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasNoDescriptor(error)) throw error;
    return undefined;
  }
}

/** Whether a file could not be read because there is no free file descriptor: then nothing is known of it. */
function hasNoDescriptor(error: unknown): boolean {
  return ['EMFILE', 'ENFILE'].includes(String(systemCode(error)));
}
