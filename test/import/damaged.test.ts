import * as fc from 'fast-check';
import { detectFormat, formatNamed } from '../../src/import/formats/formats';
import { FileError } from '../../src/import/records/record';
import { startHarness, type Harness } from '../support/harness';
import { importFiles } from './import-files';
import { readAll } from './read';

/** Ids of as many tweets, people or edges of a file as there are. */
const ids = Array.from({ length: 6 }, (_, n) => String(1600000000000000001n + BigInt(n) * 1000n));
const text = (n: number) => ['plain', 'with, comma', 'with "quote"', 'of two\nlines', 'é 🐦', ''][n] ?? '';
const cell = (value: string) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
const csv = (header: string, row: (id: string, n: number) => readonly string[]) =>
  [header, ...ids.map((id, n) => row(id, n).map(cell).join(','))].join('\r\n');
const at = '2022-12-06T05:31:41Z';
const object = (id: string, n: number) => ({
  ...{
    created_at: 'Tue Dec 06 05:31:41 +0000 2022',
    id_str: id,
    text: text(n),
    favorite_count: n,
    lang: 'en',
  },
  user: { id_str: '7', screen_name: 'ada', name: 'Ada' },
});
const v2 = (id: string, n: number) => ({ id, text: text(n), author_id: '7', created_at: at, lang: 'en' });

/** A file of each format, in each of which every id is once. */
const files: readonly (readonly [format: string, what: string, content: string])[] = [
  ['follows', 'edges', ids.map((id, n) => `${id}${n % 2 ? ' ' : '\t'}1 0.5`).join('\n')],
  ['users-csv', 'people', csv('user_id,name,username', (id, n) => [id, text(n), `name${n}`])],
  ['followers-csv', 'relations', csv('user,follower', (id, n) => [`x${n}`, id])],
  [
    'tweets-csv',
    'tweets',
    csv('tweet_id,author_id,text,created_at,lang', (id, n) => [id, '7', text(n), at, 'en']),
  ],
  [
    'twint-csv',
    'tweets',
    csv('id,user_id,username,tweet,created_at,language', (id, n) => [id, '7', 'ada', text(n), at, 'en']),
  ],
  [
    'flat-csv',
    'tweets',
    csv('author,content,date_time,id,language', (id, n) => ['ada', text(n), '01/12/2022 10:00', id, 'en']),
  ],
  ['twitter', 'lines', ids.map((id, n) => JSON.stringify(object(id, n))).join('\n')],
  ['twitter', 'an array', JSON.stringify(ids.map(object))],
  ['twitter', 'a printed array', JSON.stringify(ids.map(object), null, 1)],
  ['twitter', 'an answer', JSON.stringify({ data: ids.map(v2), meta: { count: 6 } })],
  [
    'twitter',
    'an answer that begins with something else',
    JSON.stringify({ meta: { count: 6 }, data: ids.map(v2) }),
  ],
  ['twitter', 'a search', JSON.stringify({ statuses: ids.map(object) }, null, 1)],
  [
    'twitter',
    'an archive',
    `window.YTD.tweets.part0 = ${JSON.stringify(
      ids.map((id, n) => ({ tweet: object(id, n) })),
      null,
      1,
    )}`,
  ],
];

/** A file in which one byte is another, is missing, or has another one before it. */
const damage = fc.record({
  // What all elements depend on is at the beginning.
  place: fc.oneof(...[1, 0.05].map((size) => fc.nat(999).map((n) => (n * size) / 1000))),
  byte: fc.oneof(
    fc.constantFrom(...'",\n\r[]{}\\:;0 '.split('').map((sign) => sign.charCodeAt(0))),
    fc.integer({ min: 0, max: 255 }),
  ),
  kind: fc.constantFrom('replaced', 'missing', 'added'),
});
function damaged(
  content: string,
  { place, byte, kind }: typeof damage extends fc.Arbitrary<infer T> ? T : never,
) {
  const bytes = Buffer.from(content);
  const index = Math.floor(place * bytes.length);
  const middle = kind === 'missing' ? [] : [byte];
  return Buffer.concat([
    bytes.subarray(0, index),
    Buffer.from(middle),
    bytes.subarray(kind === 'added' ? index : index + 1),
  ]);
}

/** Whether the line of an id is a comment, which edges may have. */
function isComment(bytes: Buffer, id: string): boolean {
  return new RegExp(`^[ \\t]*[#%].*${id}`, 'm').test(bytes.toString('latin1'));
}

describe.each(files)('%s: %s', (format, _, content) => {
  test('lose no row silently to a damaged byte', async () => {
    await fc.assert(
      fc.asyncProperty(damage, async (how) => {
        const bytes = damaged(content, how);
        let parsed;
        try {
          if (detectFormat(bytes).name !== format) return;
          parsed = await readAll(formatNamed(format), bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(FileError);
          return;
        }
        // Each id is in a record or in what a rejected row shows, unless the damaged byte is one of its digits. Of a damaged object
        // only the beginning may be shown, but then it is one of the rejected rows.
        const seen = parsed
          .map((row) => ('records' in row ? JSON.stringify(row.records) : row.source))
          .join('\n');
        const lost = ids.filter((id) => bytes.includes(id) && !seen.includes(id) && !isComment(bytes, id));
        const unshown = parsed.filter(
          (row) => 'rejected' in row && !ids.some((id) => row.source.includes(id)),
        );
        expect(lost.length).toBeLessThanOrEqual(format === 'twitter' ? unshown.length : 0);
      }),
      { numRuns: 100 },
    );
  });
});

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});

test('each row that is read is stored, changed, unchanged or rejected, whatever the bytes of a file are', async () => {
  const piece = fc.constantFrom(
    ...files.map(([, , content]) => content.slice(0, 900)),
    '\n',
    '"',
    '{',
    '7 8\n',
    '[]',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...files),
      damage,
      fc.array(fc.oneof(piece, fc.string()), { maxLength: 3 }),
      async ([format, , content], how, more) => {
        const bytes = Buffer.concat([damaged(content, how), Buffer.from(more.join(''))]);
        const parsed = await readAll(formatNamed(format), bytes).catch(() => null);
        const { table, rejected, refused } = await importFiles(server, { a: bytes }, { format });
        const { stored = 0, changed = 0, unchanged = 0, 'rows read': read = 0 } = table;
        expect(refused).toHaveLength(parsed === null ? 1 : 0);
        if (parsed !== null) expect(read).toBe(parsed.length);
        expect(stored + changed + unchanged + (table['rejected'] ?? 0)).toBe(read);
        expect(rejected).toHaveLength(table['rejected'] ?? 0);
      },
    ),
    { numRuns: 25 },
  );
});
