import { randomUUID } from 'node:crypto';
import { link, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../kit/base/make-folder';
import { systemCode } from './errors';
import { isAlive, ownProcessId, readProcessId } from './process';

/**
 * Runs work while no other process (nor another call in this one) runs work under the lock of the same folder. The lock of a
 * killed process counts as free. If the lock is taken, `waiting` is called once with the pid of its owner.
 *
 * A single lock file cannot be taken over safely from a dead owner: between seeing that the owner is dead and removing the file,
 * another process may have removed it and created its own. So each owner creates the file with the next number, which the file
 * system lets only one of them do. The newest file is never removed, only emptied, which frees the lock.
 */
export async function withLock<T>(
  folder: string,
  waiting: (pid: number) => void,
  work: () => Promise<T>,
): Promise<T> {
  await makeFolder(folder);
  const own = join(folder, `by-${process.pid}-${randomUUID()}`);
  await writeFile(own, JSON.stringify(await ownProcessId()));
  try {
    const held = await acquire(folder, own, waiting);
    try {
      return await work();
    } finally {
      await truncate(held);
    }
  } finally {
    await rm(own, { force: true });
  }
}

async function acquire(folder: string, own: string, waiting: (pid: number) => void): Promise<string> {
  let hasTold = false;
  for (;;) {
    const newest = Math.max(0, ...(await numbers(folder)));
    const owner = newest === 0 ? undefined : await readProcessId(join(folder, `${newest}`));
    if (owner !== undefined && (await isAlive(owner))) {
      if (!hasTold) waiting(owner.pid);
      hasTold = true;
      await sleep(100);
    } else if (await linked(own, join(folder, `${newest + 1}`))) {
      // The number is also free if others took it and later ones, and tidied up, since this process read the newest number.
      if (Math.max(...(await numbers(folder))) === newest + 1) {
        await tidy(folder, newest);
        return join(folder, `${newest + 1}`);
      }
      await rm(join(folder, `${newest + 1}`));
    }
  }
}

async function numbers(folder: string): Promise<number[]> {
  return (await readdir(folder)).filter((name) => /^\d+$/.test(name)).map(Number);
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the files with numbers up to `upTo`, and the files that killed processes left behind. */
async function tidy(folder: string, upTo: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const id = name.startsWith('by-') ? await readProcessId(path) : undefined;
    const isStale = id === undefined ? Number(name) <= upTo : !(await isAlive(id));
    if (isStale) await rm(path, { force: true });
  }
}
