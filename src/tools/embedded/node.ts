import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../kit/base/make-folder';
import { NodeStartError } from './errors';
import { javaEnvironment } from './java';
import { jvmArguments } from './jvm';
import { answersCql } from './probe';
import { endProcess, runningAt, type ProcessId, type Running } from './process';
import type { Cassandra } from './resolve';
import { cassandraYaml, logbackXml, nodeFiles, type NodeSettings } from './settings';

/** Milliseconds in which a node must answer. Its start replays the commit log, which is bounded. */
const MAX_START_MS = 180_000;

/**
 * Starts one node and waits until it answers clients.
 *
 * @throws NodeStartError with the lines of its log that matter; the process has ended by then
 */
export async function startNode(
  cassandra: Cassandra,
  settings: NodeSettings,
  properties: readonly string[] = [],
): Promise<Running> {
  const files = nodeFiles(settings.dir);
  await prepareFolder(settings);
  const logStart = await stat(files.systemLog).then(
    ({ size }) => size,
    () => 0,
  );

  const output = openSync(files.outputLog, 'w');
  const child = spawn(cassandra.java, await jvmArguments(cassandra, settings, properties), {
    cwd: settings.dir,
    env: javaEnvironment(),
    detached: settings.detached,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  let end: string | undefined;
  child.once('error', (error) => (end = error.message));
  child.once('exit', (code, signal) => (end = `it ended with ${signal ?? code ?? 'nothing'}`));
  child.unref();

  const running = child.pid === undefined ? undefined : await runningAt(child.pid);
  const until = performance.now() + MAX_START_MS;
  while (end === undefined && performance.now() < until) {
    if (running && (await answersCql(settings.address, settings.ports.native)) && !ended()) return running;
    await sleep(100);
  }
  if (running && !ended()) await endNode(running);
  const lines = linesThatMatter(
    await readFrom(files.systemLog, logStart),
    await readFrom(files.outputLog, 0),
  );
  throw new NodeStartError(
    [
      `Cassandra must start, but ${end ?? `does not answer after ${MAX_START_MS / 1000} s`}. From ${files.systemLog}:`,
      ...lines,
    ].join('\n  '),
  );

  /** A function, because the compiler does not know that `end` changes while `startNode` waits. */
  function ended(): boolean {
    return end !== undefined;
  }
}

/**
 * Ends a node, which first writes to disk what it has in memory, and waits until it is gone. After `patience` milliseconds it is
 * killed, which loses nothing either.
 */
export async function endNode(node: ProcessId, patience = 30_000): Promise<void> {
  await endProcess(node, patience);
}

async function prepareFolder(settings: NodeSettings): Promise<void> {
  const files = nodeFiles(settings.dir);
  await makeFolder(`${settings.dir}/conf`);
  await makeFolder(`${settings.dir}/logs`);
  // Each start unpacks the native parts of some jars here, and they stay if the node is killed.
  await rm(files.temporary, { recursive: true, force: true });
  await mkdir(files.temporary);
  await writeFile(files.yaml, cassandraYaml(settings));
  await writeFile(files.logback, logbackXml(settings.dir));
  await rename(files.outputLog, `${files.outputLog}.1`).catch(() => undefined);
}

async function readFrom(path: string, start: number): Promise<string> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  // If the file is shorter than before, the log was rolled over, and all of it is new.
  return bytes.subarray(bytes.length < start ? 0 : start).toString('utf8');
}

/** How many lines of each source are shown at most. */
const MAX_LINES = 12;

/**
 * The lines that say why a node did not start: errors and exceptions with their causes, without stack frames and repetitions.
 * If there are none, the last lines.
 */
function linesThatMatter(systemLog: string, output: string): string[] {
  return [...select(systemLog), ...select(output)].filter((line, index, all) => all.indexOf(line) === index);
}

function select(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const matter = lines.filter((line) => pattern.test(line) && !/^\s+at |^\s+\.\.\. \d+ /.test(line));
  const chosen = matter.length > 0 ? [...new Set(matter)] : lines;
  return chosen.slice(-MAX_LINES).map((line) => line.slice(0, 400));
}

const pattern = /^(ERROR|FATAL|Error|Caused by|Unrecognized|Invalid)\b|\b\w+(Exception|Error)\b/;
