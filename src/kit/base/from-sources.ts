import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';

/**
 * Resolves a path relative to a folder of sources. Compiled code runs under `dist`, which holds only code, so files
 * that are missing there are looked up in the source folder.
 */
export function fromSources(folder: string, path: string): string {
  const dist = `${sep}dist${sep}`;
  const index = folder.lastIndexOf(dist);
  const here = join(folder, path);
  return index === -1 || existsSync(here)
    ? here
    : join(folder.slice(0, index), folder.slice(index + dist.length), path);
}
