import * as fc from 'fast-check';
import { detectFormat, formatNamed, formats } from '../../src/import/formats/formats';
import { readAll } from './read';

const tweet = '{"id_str":"5","text":"x","user":{"id_str":"7","screen_name":"ada"}}';
const geo = '{"id_str":"5","text":"x","user":{"screen_name":"ada"}}';
const heads: readonly (readonly [string, string])[] = [
  ['follows', '1 2\n3 4\n'],
  ['follows', '# Directed graph\n# FromNodeId\tToNodeId\r\n1\t2\r\n'],
  ['follows', '1 2 1\n3 4 2\n5'],
  ['users-csv', 'user_id,name,username,_ts\n'],
  ['followers-csv', 'user,follower\r\na,b'],
  ['tweets-csv', 'replied_to,tweet_id,created_at,text,author_id\n'],
  ['flat-csv', 'author,content,country,date_time,id,language,latitude\n'],
  ['tweets-geo', `${geo}\n${geo}`],
  ['tweets-geo', `{"broken\n${geo}\n`],
  ['twitter', `${tweet}\n`],
  ['twitter', ` [\n${tweet},`],
  ['twitter', '[]'],
];

describe('detection', () => {
  test.each(heads)('finds %s in %j, and no other format', (name, head) => {
    expect(formats.filter((format) => format.detect(head)).map((format) => format.name)).toEqual([name]);
    expect(detectFormat(head)).toBe(formatNamed(name));
  });

  test.each(['', '\n', 'name,age\n', 'hello', '{}', '{"user":1}', '[1,2]', '<html>', '1,2\n'])(
    'finds nothing in %j',
    (head) => {
      expect(detectFormat(head)).toBeNull();
    },
  );

  test('never fails', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (head) => {
        detectFormat(head);
      }),
    );
  });
});

/** Pieces that files of the formats are made of, so that damage comes near to what is right. */
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.uint8Array({ maxLength: 12 }) },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom(...heads.map(([, head]) => head), tweet, '\n', '"', ',', '{', '}', '[', ']', '\\')
      .map((text) => Buffer.from(text)),
  },
);

describe.each(formats)('$name', (format) => {
  test('takes any bytes: never fails, and makes the same of them however they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 40 }),
        fc.integer({ min: 1, max: 40 }),
        async (pieces, size) => {
          const bytes = Buffer.concat(pieces);
          const parsed = await readAll(format, bytes);
          expect(await readAll(format, bytes, size)).toEqual(parsed);
          for (const row of parsed) {
            if ('records' in row) expect(row.records.length).toBeGreaterThan(0);
            else expect(row.rejected).not.toBe('');
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

test('every line of an edge list or of JSON lines is records or a reject, unless it is empty', async () => {
  const line = fc.oneof(
    fc.constantFrom('1 2', '', ' ', tweet),
    fc.string({ unit: 'binary' }).map((text) => text.replace(/[\n\uFEFF]/g, '')),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
      const follows = await readAll(formatNamed('follows') ?? fail(), lines.join('\n'));
      const expected = lines.flatMap((text, index) => (/^[ \t\r]*(#|$)/.test(text) ? [] : [index + 1]));
      expect(follows.map((row) => row.line)).toEqual(expected);
      const tweets = await readAll(formatNamed('tweets-geo') ?? fail(), lines.join('\n'));
      expect(tweets.map((row) => row.line)).toEqual(
        lines.flatMap((text, index) => (text.trim() === '' ? [] : [index + 1])),
      );
    }),
  );
});

function fail(): never {
  throw new Error('the format is missing');
}
