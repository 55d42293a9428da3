import { access, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderWord, mainClass } from './jvm';
import type { Ports } from './ports';
import { findRunning, separator, type Running } from './process';

/**
 * What is known of the folder's node beside its process: `node.json`, which also tells people where to point cqlsh.
 * It is written before the JVM is started, so it may describe one that never was; what runs is asked of the system.
 */
export interface NodeRecord {
  /** Random for each start, and in the JVM's command: `-Dmurmuration.node=<id>`. */
  readonly id: string;
  /** The folder, to recognise that it was moved or copied. */
  readonly dir: string;
  readonly address: string;
  readonly ports: Ports;
  readonly pid?: number;
  /** starting: it may take long to answer; ready: it has answered; ending: it must not be used any more. */
  readonly state: 'starting' | 'ready' | 'ending';
}

/** Writes the record of a folder's node so that a reader sees the old or the new one, never a half. */
export async function writeRecord(dir: string, record: NodeRecord): Promise<void> {
  const path = join(dir, 'node.json');
  await writeFile(`${path}.new`, `${JSON.stringify(record, null, 2)}\n`);
  await rename(`${path}.new`, path);
}

/** Reads the record of a folder's node, if there is one. */
export async function readRecord(dir: string): Promise<NodeRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(join(dir, 'node.json'), 'utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The word of a JVM's command that says which start it is of. */
export function startWord(id: string): string {
  return `-Dmurmuration.node=${id}`;
}

/** Every JVM that works on this folder's files, also when it was started where the folder was before a move. */
export async function findNodes(dir: string, record: NodeRecord | undefined): Promise<Running[]> {
  const here = await findRunning(mainClass, folderWord(dir));
  if (record === undefined || record.dir === dir) return here;
  const copied = await access(record.dir).then(
    () => true,
    () => false,
  );
  return copied ? here : [...here, ...(await findRunning(mainClass, `${startWord(record.id)}${separator}`))];
}

function isRecord(value: unknown): value is NodeRecord {
  if (typeof value !== 'object' || value === null) return false;
  if (!('id' in value && 'dir' in value && 'address' in value && 'ports' in value && 'state' in value))
    return false;
  const { id, dir, ports } = value;
  if (typeof id !== 'string' || typeof dir !== 'string' || typeof ports !== 'object' || ports === null)
    return false;
  return 'native' in ports && 'storage' in ports && [ports.native, ports.storage].every(Number.isInteger);
}
