import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lives, ownProcessId, readProcessId } from './process';

/** Leaves a note in a folder that this process uses what belongs to the folder. Returns the path of the note, which is unique. */
export async function register(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${process.pid}-${randomUUID()}.json`);
  await writeFile(path, JSON.stringify(await ownProcessId()));
  return path;
}

/** Removes a note and returns how many others remain. Notes of killed processes are removed, too, and not counted. */
export async function unregister(path: string, folder: string): Promise<number> {
  await rm(path, { force: true });
  let living = 0;
  for (const name of await readdir(folder)) {
    const other = join(folder, name);
    const id = await readProcessId(other);
    if (id !== undefined && (await lives(id))) living++;
    else await rm(other, { force: true });
  }
  return living;
}
