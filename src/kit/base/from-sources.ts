import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';

/** A path from a folder of sources; what runs is compiled of them under `dist`, where only code is. */
export function fromSources(folder: string, path: string): string {
  const dist = `${sep}dist${sep}`;
  const at = folder.lastIndexOf(dist);
  const here = join(folder, path);
  return at === -1 || existsSync(here)
    ? here
    : join(folder.slice(0, at), folder.slice(at + dist.length), path);
}
