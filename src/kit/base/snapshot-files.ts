import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The file of a snapshot that names the SSTables in it. A table without rows has it, too. */
export const MANIFEST = 'manifest.json';
const manifestShape = z.object({ files: z.array(z.string()) });

/**
 * Returns the names of the files that a copy of a table's snapshot must have, and lacks: its data, and the files that belong to each part
 * of them.
 */
export async function findMissingFiles(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  if (text === null) return [MANIFEST];
  const copied = new Set(await readdir(folder));
  const { files } = manifestShape.parse(JSON.parse(text));
  const needed = await Promise.all(files.map((file) => componentsOf(folder, file)));
  return needed.flat().filter((file) => !copied.has(file));
}

/** The files that belong to a file of data: its table of contents names them. */
async function componentsOf(folder: string, file: string): Promise<string[]> {
  const stem = file.replace(/Data\.db$/, '');
  const contents = `${stem}TOC.txt`;
  const text = await readFile(join(folder, contents), 'utf8').catch(() => '');
  const named = text.split('\n').filter((line) => line !== '');
  return [...new Set([file, contents, ...named.map((component) => `${stem}${component}`)])];
}
