import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withLock } from '../../src/tools/embedded/lock';
import { ownProcessId } from '../../src/tools/embedded/process';

describe('withLock', () => {
  let folder: string;

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'murmuration-lock-')), 'lock');
  });

  afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

  it('lets one work at a time, and tells the others who does', async () => {
    let working = 0;
    let most = 0;
    const told: number[] = [];
    const work = async () => {
      most = Math.max(most, ++working);
      await sleep(5);
      working--;
    };
    await Promise.all(Array.from({ length: 8 }, () => withLock(folder, (pid) => told.push(pid), work)));
    expect(most).toBe(1);
    expect(new Set(told)).toEqual(new Set([process.pid]));
  });

  it('is free again when the work fails', async () => {
    await expect(withLock(folder, fail, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withLock(folder, fail, () => Promise.resolve('yes'))).toBe('yes');
  });

  it('takes the lock of a process that has ended, and removes what it left', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    await mkdir(folder);
    await writeFile(join(folder, '7'), JSON.stringify({ pid, started: 'then' }));
    await writeFile(join(folder, `by-${pid}-x`), JSON.stringify({ pid, started: 'then' }));
    await withLock(folder, fail, () => Promise.resolve());
    expect(await readdir(folder)).toEqual(['8']);
  });

  it('takes the lock of an earlier process whose number was given to another', async () => {
    const { pid } = await ownProcessId();
    await mkdir(folder);
    await writeFile(join(folder, '1'), JSON.stringify({ pid, started: 'earlier' }));
    await withLock(folder, fail, () => Promise.resolve());
    expect(await readdir(folder)).toEqual(['2']);
  });
});

function fail(pid: number): void {
  throw new Error(`The lock must be free, but process ${pid} has it`);
}
