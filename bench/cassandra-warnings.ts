import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Section } from './measure';

/** What Cassandra warns of that would end a server or a node with more data, by what the line has. */
const KINDS: Readonly<Record<string, RegExp>> = {
  'reads that passed many tombstones': /tombstone/i,
  'large partitions': /large partition/i,
  'large batches': /batch .*exceed/i,
  'slow or blocked reads and writes': /dropped|timed out|slow quer/i,
  'other warnings and errors': /^/,
};

/** Counts the warnings and errors in the logs of embedded nodes, by kind. `folders` are those of the nodes. */
export async function countWarnings(folders: readonly string[]): Promise<Section> {
  const texts = (await Promise.all(folders.map(readLogs))).flat();
  const counts = new Map<string, { count: number; example: string }>();
  for (const line of texts.join('\n').split('\n')) {
    if (!/^(WARN|ERROR)/.test(line)) continue;
    const [kind = ''] = Object.entries(KINDS).find(([, pattern]) => pattern.test(line)) ?? [];
    const { count = 0, example = line.slice(0, 160) } = counts.get(kind) ?? {};
    counts.set(kind, { count: count + 1, example });
  }
  const lines = Object.keys(KINDS).map((what) => ({
    what,
    ...(counts.get(what) ?? { count: 0, example: '' }),
  }));
  return { title: "Cassandra's own warnings, from its log", lines };
}

async function readLogs(folder: string): Promise<string[]> {
  const logs = join(folder, 'logs');
  const names = (await readdir(logs)).filter((name) => name.startsWith('system.log'));
  return Promise.all(names.map((name) => readFile(join(logs, name), 'utf8')));
}
