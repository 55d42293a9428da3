import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The file of a snapshot that names the SSTables in it. A table without rows has it, too. */
export const MANIFEST = 'manifest.json';
const manifestShape = z.object({ files: z.array(z.string()) });

/** The names of the files that a copy of a table's snapshot must have, and lacks. */
export async function findMissingFiles(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  if (text === null) return [MANIFEST];
  const copied = new Set(await readdir(folder));
  return manifestShape.parse(JSON.parse(text)).files.filter((file) => !copied.has(file));
}
