import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createProgress, type ProgressStream } from '../../src/import/progress';
import { createRejects, requireWritable } from '../../src/import/rejects';

function recordingStream(isTTY: boolean): { stream: ProgressStream; written: () => string } {
  const written: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      written.push(chunk.toString());
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY }), written: () => written.join('') };
}

describe('progress', () => {
  afterEach(() => jest.useRealTimers());

  test('is a line every five seconds and one at the end, where there is no terminal', () => {
    jest.useFakeTimers();
    const { stream, written } = recordingStream(false);
    const progress = createProgress(stream, 1000, 'a.csv');
    progress.update(10, 100, 0);
    expect(written()).toBe('');
    jest.advanceTimersByTime(5000);
    progress.update(250, 5000, 2);
    progress.update(260, 5001, 2);
    expect(written()).toBe('a.csv: 25% | 5,000 rows | 1,000/s | 2 rejected | 0:15 left\n');
    jest.advanceTimersByTime(70_000);
    progress.update(1000, 15_000, 2);
    progress.end();
    expect(written().split('\n').at(-2)).toBe('a.csv: 100% | 15,000 rows | 200/s | 2 rejected | 1:15 taken');
  });

  test('shows its last line once, also if the last rows take longer than five seconds', () => {
    jest.useFakeTimers();
    const { stream, written } = recordingStream(false);
    const progress = createProgress(stream, 1000, 'a.csv');
    jest.advanceTimersByTime(6000);
    progress.update(1000, 600, 0);
    progress.end();
    expect(written()).toBe('a.csv: 100% | 600 rows | 100/s | 0:06 taken\n');
  });

  test('is a bar on a terminal', () => {
    const { stream, written } = recordingStream(true);
    const progress = createProgress(stream, 1000, 'a.csv');
    progress.update(500, 1234, 0);
    progress.end();
    expect(written()).toContain('a.csv ');
    expect(written()).toMatch(/█+░+ 50% \| 1,234 rows/);
  });

  test('of a task of unknown length tells what is done', () => {
    const { stream, written } = recordingStream(false);
    const progress = createProgress(stream, Infinity, 'counts', 'people');
    progress.update(2000, 2000, 0);
    progress.end();
    expect(written()).toMatch(/^counts: 100% \| 2,000 people \| .* taken$/m);
  });

  test('of an empty file is complete', () => {
    const { stream, written } = recordingStream(false);
    createProgress(stream, 0, 'empty').end();
    expect(written()).toMatch(/^empty: 100% \| 0 rows/);
  });
});

describe('rejects', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'murmuration-rejects-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('are written with line, reason and source', async () => {
    const rejects = createRejects(join(folder, 'some'));
    await rejects.add('a.csv', 3, 'no "id"', 'a,"b\nc"');
    await rejects.add('b.csv', 9, 'no text', 'x\r');
    await rejects.close();
    expect(rejects.count).toBe(2);
    expect(await readFile(rejects.path, 'utf8')).toBe(
      'file,line,reason,source\r\n"a.csv",3,"no ""id""","a,""b\nc"""\r\n"b.csv",9,"no text","x"\r\n',
    );
  });

  test('make no file where there are none, and leave none of an earlier run', async () => {
    const path = join(folder, 'none');
    await writeFile(path, 'of an earlier run');
    const rejects = createRejects(path);
    await rejects.close();
    expect(existsSync(rejects.path)).toBe(false);
  });

  test('tell before anything is imported that their file cannot be made', () => {
    const path = join(folder, 'no', 'such', 'folder');
    expect(() => {
      requireWritable(path);
    }).toThrow(`ENOENT: no such file or directory, open '${path}'`);
    expect(() => {
      requireWritable(folder);
    }).toThrow(`EISDIR: illegal operation on a directory, open '${folder}'`);
  });

  test('of an earlier run stay until the import begins', async () => {
    const [earlier, none] = [join(folder, 'earlier'), join(folder, 'none yet')];
    await writeFile(earlier, 'of an earlier run');
    requireWritable(earlier);
    requireWritable(none);
    expect(await readFile(earlier, 'utf8')).toBe('of an earlier run');
    expect(existsSync(none)).toBe(false);
  });

  test('remove no device to which they are written', async () => {
    const path = join(folder, 'device');
    await symlink(devNull, path);
    const rejects = createRejects(path);
    expect(existsSync(rejects.path)).toBe(true);
  });

  test('take the place of a link, and leave the file that it names as it is', async () => {
    const [named, path] = [join(folder, 'named'), join(folder, 'link')];
    await writeFile(named, 'rows');
    await symlink(named, path);
    const rejects = createRejects(path);
    await rejects.add('a.csv', 1, 'bad', 'row');
    await rejects.close();
    expect(await readFile(named, 'utf8')).toBe('rows');
    expect(await readFile(path, 'utf8')).toContain('"bad"');
  });

  test('tell when they cannot be written', async () => {
    const path = join(folder, 'later');
    const rejects = createRejects(path);
    await mkdir(path);
    await expect(rejects.add('a.csv', 1, 'bad', 'row').then(() => rejects.close())).rejects.toMatchObject({
      code: 'EISDIR',
    });
  });
});
