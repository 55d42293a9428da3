import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from './errors';
import { folderWord, mainClass } from './jvm';
import type { Ports } from './ports';
import { findRunning, separator, type Running } from './process';

/**
 * The record of the folder's node, in addition to its process. It is stored in `node.json`, where people also find the address for cqlsh.
 * It is written before the JVM starts, so it may describe a JVM that never ran; the system knows what runs.
 */
export interface NodeRecord {
  /** Random for each start, and in the JVM's command: `-Dmurmuration.node=<id>`. */
  readonly id: string;
  /** The folder, so that a move or a copy of it is noticed. */
  readonly dir: string;
  readonly address: string;
  readonly ports: Ports;
  readonly pid?: number;
  /** starting: it may not answer for a long time; ready: it has answered; ending: it must not be used any more. */
  readonly state: 'starting' | 'ready' | 'ending';
  /** Whether a killed server has left it behind, and only commands have used it since, which leave it running. */
  readonly isLeft?: boolean;
}

/** Writes the record of a folder's node so that a reader sees either the old or the new record, never half of one. */
export async function writeRecord(dir: string, record: NodeRecord): Promise<void> {
  const path = join(dir, 'node.json');
  await writeFile(`${path}.new`, `${JSON.stringify(record, null, 2)}\n`);
  await rename(`${path}.new`, path);
}

/** Whether an embedded node was ever started in a folder of data. */
export async function hasNode(dataDir: string): Promise<boolean> {
  return (await readRecord(join(dataDir, 'cassandra'))) !== undefined;
}

/** Reads the record of a folder's node, if there is one. */
export async function readRecord(dir: string): Promise<NodeRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(join(dir, 'node.json'), 'utf8'));
    return isRecord(value) ? value : undefined;
  } catch (error) {
    // What cannot be read now, as without a free file descriptor, may be there.
    if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The argument in a JVM's command that says which start it belongs to. */
export function startWord(id: string): string {
  return `-Dmurmuration.node=${id}`;
}

/** All JVMs that work on this folder's files, even if they were started before the folder was moved here. */
export async function findNodes(dir: string, record: NodeRecord | undefined): Promise<Running[]> {
  const here = await findRunning(mainClass, folderWord(dir));
  if (record === undefined || record.dir === dir) return here;
  // If the folder of the record is still there, this one is a copy of it, and the node belongs to that one.
  if (existsSync(record.dir)) return here;
  return [...here, ...(await findRunning(mainClass, `${startWord(record.id)}${separator}`))];
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
