import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openSource, type ImportSource } from '../../src/import/source';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'murmuration-source-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function sourceOf(bytes: Uint8Array | string): Promise<ImportSource> {
  const path = join(folder, 'file');
  await writeFile(path, bytes);
  return openSource(path);
}

/** Everything that the source gives, and what it then throws. */
async function drain(source: ImportSource): Promise<{ text: string; error: unknown }> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of source.chunks) chunks.push(chunk);
  } catch (error) {
    return { text: Buffer.concat(chunks).toString(), error };
  }
  return { text: Buffer.concat(chunks).toString(), error: undefined };
}

/** Lines that hardly compress, so that they take many chunks. */
const lines = Array.from(
  { length: 60_000 },
  (_, index) => `${index} ${Math.imul(index, 2654435761) >>> 0}\n`,
).join('');

describe('a source', () => {
  test.each([
    ['plain', Buffer.from(lines)],
    ['gzip', gzipSync(lines)],
    ['gzip of two members', Buffer.concat([gzipSync(lines.slice(0, 99_999)), gzipSync(lines.slice(99_999))])],
  ])('gives a %s file whole, told by its first bytes', async (_, bytes) => {
    const source = await sourceOf(bytes);
    expect(source.totalBytes).toBe(bytes.length);
    expect(source.head.toString()).toBe(lines.slice(0, 65_536));
    expect(source.bytesRead()).toBeLessThan(bytes.length);
    expect(await drain(source)).toEqual({ text: lines, error: undefined });
    expect(source.bytesRead()).toBe(bytes.length);
  });

  test('gives short and empty files', async () => {
    for (const text of ['', 'x', '1 2\n']) {
      for (const bytes of [Buffer.from(text), gzipSync(text)]) {
        const source = await sourceOf(bytes);
        expect(source.head.toString()).toBe(text);
        expect(await drain(source)).toEqual({ text, error: undefined });
      }
    }
  });

  test('has no byte order mark in its head', async () => {
    expect((await sourceOf('\uFEFFuser,follower\n')).head.toString()).toBe('user,follower\n');
  });

  test.each([0.02, 0.5, 0.99])(
    'gives what a gzip file cut off at %d of it holds, then fails',
    async (part) => {
      const whole = gzipSync(lines);
      const { text, error } = await drain(await sourceOf(whole.subarray(0, Math.floor(whole.length * part))));
      expect(error).toMatchObject({
        code: 'BAD_GZIP',
        message: 'the gzip data ends too early: the file is cut off',
      });
      expect(lines.startsWith(text)).toBe(true);
      expect(text.length).toBeGreaterThan(lines.length * part * 0.9 - 40_000);
    },
  );

  test('gives what is before a damaged place, then fails', async () => {
    const bytes = gzipSync(lines);
    bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 200);
    const { text, error } = await drain(await sourceOf(bytes));
    expect(error).toMatchObject({ code: 'BAD_GZIP' });
    expect(text.length).toBeGreaterThan(lines.length * 0.4);
    expect(lines.startsWith(text.slice(0, Math.floor(lines.length * 0.4)))).toBe(true);
  });

  test('can be closed before its end', async () => {
    const source = await sourceOf(gzipSync(lines));
    await source.close();
    expect((await drain(source)).error).toBeUndefined();
  });

  test('of no file fails', async () => {
    await expect(openSource(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
