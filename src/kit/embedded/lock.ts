import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCode } from './errors';
import { lives, markSelf, readMark } from './process';

/**
 * Runs work while no other process (nor another call in this one) runs work under the same folder's lock.
 * The lock of a process that was killed counts as free. `waiting` is told once who holds it.
 *
 * A single lock file cannot be taken from the dead safely: between seeing that its owner is dead and removing it,
 * somebody else may have removed it and made their own. So each owner makes the file with the next number, which
 * the file system lets exactly one do, and the newest file is never removed, only emptied: that frees it.
 */
export async function withLock<T>(
  folder: string,
  waiting: (pid: number) => void,
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true });
  const own = join(folder, `by-${process.pid}-${randomUUID()}`);
  await writeFile(own, JSON.stringify(await markSelf()));
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
  let told = false;
  for (;;) {
    const newest = Math.max(0, ...(await numbers(folder)));
    const owner = newest === 0 ? undefined : await readMark(join(folder, `${newest}`));
    if (owner !== undefined && (await lives(owner))) {
      if (!told) waiting(owner.pid);
      told = true;
      await sleep(100);
    } else if (await linked(own, join(folder, `${newest + 1}`))) {
      // A number is also free when others went on, and tidied up, between this process's look and its link.
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

/** Removes the numbers up to the given one, and what killed processes left. */
async function tidy(folder: string, upTo: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const mark = name.startsWith('by-') ? await readMark(path) : undefined;
    const left = mark === undefined ? Number(name) <= upTo : !(await lives(mark));
    if (left) await rm(path, { force: true });
  }
}
