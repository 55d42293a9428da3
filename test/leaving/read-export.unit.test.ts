import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { lineSchemas, parseLine, type FileName } from '../../src/import/own/lines';
import { isZip, openExport } from '../../src/import/own/read-export';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'murmuration-export-'));
});
afterAll(() => rm(folder, { recursive: true }));

const LIKES = '{"tweetId":"1","likedAt":"2026-01-01T00:00:00.000Z"}\n'.repeat(3000);

interface Parts {
  readonly files?: Readonly<Record<string, string>>;
  readonly manifest?: object | string | null;
  readonly claims?: object;
}

/** Writes a zip of files and a manifest that is right about them but for its `claims`. Resolves to its path. */
async function zipOf({ files = { 'likes.jsonl': LIKES }, manifest, claims }: Parts): Promise<string> {
  const writer = new ZipWriter(new Uint8ArrayWriter());
  const add = (name: string, text: string) => writer.add(name, new Uint8ArrayReader(Buffer.from(text)));
  for (const [name, text] of Object.entries(files)) await add(name, text);
  const right = {
    ...{ format: 'murmuration-export', version: 1, userId: '1', username: 'ada' },
    files: Object.entries(files).map(([name, text]) => ({
      ...{ name, rows: text.split('\n').length - 1, bytes: Buffer.byteLength(text) },
      ...{ sha256: createHash('sha256').update(text).digest('hex'), ...claims },
    })),
  };
  if (manifest !== null)
    await add(
      'manifest.json',
      typeof manifest === 'string' ? manifest : JSON.stringify({ ...right, ...manifest }),
    );
  const path = join(folder, `${Math.random()}.zip`);
  await writeFile(path, await writer.close());
  return path;
}

const reasonFor = (path: string) =>
  openExport(path).then(
    () => 'taken',
    (error: unknown) => (error instanceof Error ? `${'code' in error} ${error.message}` : 'no error'),
  );

test('an export that is what its manifest says is opened, and its lines are read', async () => {
  const path = await zipOf({});
  expect(await isZip(path)).toBe(true);
  const opened = await openExport(path);
  const lines = [];
  for await (const batch of opened.lines('likes')) lines.push(...batch);
  expect([opened.userId, opened.username, lines.length]).toEqual(['1', 'ada', 3000]);
  // A reader may stop early, and start again.
  for await (const _ of opened.lines('likes')) break;
  for await (const _ of opened.lines('bookmarks')) throw new Error('there is no such file');
  await opened.close();
});

test.each<[string, Parts, RegExp]>([
  ['no manifest', { manifest: null }, /true this zip is no export: it has no manifest\.json/],
  ['a manifest that is no JSON', { manifest: '{' }, /true manifest\.json must be JSON/],
  ['a manifest of another kind', { manifest: { format: 'other' } }, /true manifest\.json is none .*format/],
  ['a later version', { manifest: { version: 2 } }, /true manifest\.json is none .*version/],
  ['an id that is none', { manifest: { userId: '1e3' } }, /true manifest\.json is none .*userId/],
  ['a manifest without end', { manifest: 'x'.repeat(200_000) }, /at most 100000 bytes/],
  ['a file that it does not name', { manifest: { files: [] } }, /true the manifest must name each file once/],
  ['fewer rows', { claims: { rows: 2999 } }, /true likes\.jsonl is not what the manifest says/],
  ['fewer bytes, as a bomb has', { claims: { bytes: 10 } }, /true likes\.jsonl is not what/],
  ['another hash', { claims: { sha256: '0'.repeat(64) } }, /true likes\.jsonl is not what/],
  ['a file that is not there', { claims: { name: 'other.jsonl' } }, /true the manifest (names|must)/],
  [
    'many files',
    { files: Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`${n}`, ''])) },
    /at most 50/,
  ],
])('an export with %s is refused as a whole', async (_, parts, reason) => {
  expect(await reasonFor(await zipOf(parts))).toMatch(reason);
});

test('an export that is cut off or changed anywhere is refused as a whole', async () => {
  const path = await zipOf({});
  const whole = await readFile(path);
  const damaged = join(folder, 'damaged.zip');
  const reasons = [];
  for (let n = 0; n < 40; n++) {
    const at = Math.floor((whole.length * n) / 40);
    await writeFile(damaged, whole.subarray(0, at));
    reasons.push(await reasonFor(damaged));
    const changed = Buffer.from(whole);
    // The bytes of a file, and not what only some programs look at, such as its time.
    if (at > 100 && at < whole.length / 2) {
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      await writeFile(damaged, changed);
      reasons.push(await reasonFor(damaged));
    }
  }
  expect(reasons.filter((reason) => !reason.startsWith('true '))).toEqual([]);
});

const lines: { readonly [N in FileName]: object } = {
  profile: { userId: '1', username: 'ada', name: 'Ada', createdAt: '2026-01-01T00:00:00.000Z' },
  tweets: { tweetId: '9', content: 'A', createdAt: '2026-01-01T00:00:00.000Z', language: 'en' },
  following: { userId: '2', username: 'bo', followedAt: '2026-01-01T00:00:00.000Z' },
  likes: { tweetId: '9', likedAt: '2026-01-01T00:00:00.000Z' },
  bookmarks: { tweetId: '9', bookmarkedAt: '2026-01-01T00:00:00.000Z', folder: '' },
  articles: { articleId: '9', title: 'A', body: 'B', tags: null, publishedAt: '2026-01-01T00:00:00.000Z' },
  comments: { commentId: '8', articleId: '9', body: 'B', createdAt: '2026-01-01T00:00:00.000Z' },
  blocks: { userId: '2', blockedAt: '2026-01-01T00:00:00.000Z' },
  mutes: { userId: '2', mutedAt: '2026-01-01T00:00:00.000Z', until: null, scope: ['SHARES'] },
  'muted-words': {
    text: 'tea',
    mutedAt: '2026-01-01T00:00:00.000Z',
    until: null,
    where: null,
    exceptFollowed: true,
  },
  'muted-threads': { tweetId: '9', mutedAt: '2026-01-01T00:00:00.000Z' },
};

test.each(Object.entries(lines))(
  'a line of %s is read; with any value of another kind it is not',
  (file, line) => {
    const name = file as FileName;
    expect(() => parseLine(name, JSON.stringify(line))).not.toThrow();
    const wrong = [7, {}, [[]], '\ud800', 'x'.repeat(200_000), '2026-13-01T00:00:00Z', true];
    for (const key of Object.keys(line))
      for (const value of wrong) {
        // What may be any text, list or truth is none of these.
        if (key === 'exceptFollowed' && value === true) continue;
        if (
          typeof value === 'string' &&
          value.startsWith('2026') &&
          !/At$|Id$|until|scope|where|tags|language/.test(key)
        )
          continue;
        const source = JSON.stringify({ ...line, [key]: value });
        expect(() => parseLine(name, source)).toThrow(new RegExp(`^${key}`));
      }
  },
);

test('what is no object is no line', () => {
  for (const source of ['', '[]', 'null', '7', '{', '"{}"'])
    for (const name of Object.keys(lineSchemas) as FileName[])
      expect(() => parseLine(name, source)).toThrow('no JSON object');
});
