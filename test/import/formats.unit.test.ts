import * as fc from 'fast-check';
import { detectFormat, formatNamed, formats } from '../../src/import/formats/formats';
import { refuseOtherEncodings } from '../../src/import/encoding';
import { FileError } from '../../src/import/records/record';
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
  ['twitter', '{"errors":[{"detail":"x"}],"data":[]}'],
  ['twitter', '{"meta":{"result_count":0}}'],
  ['users-csv', 'user_id,username,description,tweets,statuses_count\n'],
  ['follows', '% sym\n1,2\r3,4,0.5\r'],
  ['follows', '1,2,follows\n3,4,follows\n'],
  ['follows', '1,2,2019-05-01 10:00:00\n'],
  ['follows', '1;2;friend\n'],
  ['follows', '1\t2\t"x"\n'],
  ['follows', "1 2 {'weight': 3, 'x': 1}\n"],
  ['follows', '1 2 1341100972 RT\n3 4 1341100981 MT\n'],
  ['users-csv', '"User_ID";name;username;created_at\r1;a;b;c\r'],
  ['twint-csv', 'id,created_at,user_id,username,name,tweet,likes_count\r\n'],
  ['tweets-csv', 'sep=;\r\ntweet_id;author_id;text\r\n'],
  ['tweets-csv', '\n\n,tweet_id,author_id,text\r\r\n'],
  ['twitter', `[{"tweet":${tweet}}]`],
  ['twitter', `window.YTD.tweets.part0 = [ {\n  "tweet" : ${tweet}`],
  ['twitter', 'window.YTD.follower.part0 = [ {"follower":{"accountId":"1"}} ]'],
  ['twitter', `{"statuses":[${tweet}]}`],
  ['twitter', '{"data":[{"id":"5","text":"x","author_id":"7"}],"includes":{"users":[]}}\n'],
  ['twitter', JSON.stringify(JSON.parse(tweet), null, 2)],
  ['twitter', '[{"data":[{"id":"5","text":"x","author_id":"7"}],"includes":{"users":[]}},{"data":[]}]'],
];

describe('detection', () => {
  test.each(heads)('finds %s in %j', (name, head) => {
    expect(detectFormat(Buffer.from(head))).toBe(formatNamed(name));
  });

  const near = 'tweet_id,text,created_at';
  test.each([
    ['', 'the file is empty'],
    ['\n', 'no format fits the first line: only empty lines. The formats are '],
    [
      'name,age\n',
      'no format fits the first line: name,age. Near are: users-csv, which lacks user_id, username; ',
    ],
    [`${near}\n`, `no format fits the first line: ${near}. Near are: tweets-csv, which lacks author_id; `],
    ['id,user_id,username,text\n', 'which lacks tweet; '],
    ['user_id,username,text\n', 'users-csv, which does not read text'],
    ['hello', 'no format fits the first line: hello. The formats are '],
    [
      '1 2\n# of\n2 3\nx y\n',
      'no format fits: most lines are those of an edge list, but line 4 does not begin with two ids: x y. With --format follows, ',
    ],
    [
      '1600000000000000002,7001,hello\nof two lines\n',
      'no format fits the first line: 1600000000000000002,7',
    ],
    ['id,user_id,username,rawContent,created_at\n', 'users-csv, which does not read rawcontent'],
    [
      'tweetid,user_id,username,tweet_text,created_at\n',
      'users-csv, which does not read tweetid, tweet_text',
    ],
    ['id,user_id,username,body\n', 'users-csv, which does not read body'],
    ['user_id,username,message,likes\n', 'users-csv, which does not read message'],
    ['user,follower,status\n', 'followers-csv, which does not read status'],
    [
      'user,follower,user_id,username\n',
      'the columns fit several formats, users-csv and followers-csv: name one with --format',
    ],
    [
      'tweet_id,author_id,text,author,content,date_time,id\n',
      'the columns fit several formats, tweets-csv and flat-csv: name one with --format',
    ],
    ['{}', 'the first object has: '],
    ['{"errors":[{"detail":"x"}]}', 'no format fits this JSON: it has errors instead of tweets: x. '],
    ['{\n  "errors": [{"message":"y"}]\n}', 'it has errors instead of tweets: y. '],
    ['{"user":1}', 'the first object has: user'],
    ['{"id":1,"tweet":"x","user_id":2,"username":"a","name":"A"}', 'the first object has: id, tweet, '],
    ['[1,2]', 'it has no object within 64 KiB'],
    ['window.YTD.like.part0 = [ {"like":{}} ]', 'it is the part like of an archive, of which only '],
    ['<html>', 'no format fits the first line: <html>.'],
  ])('finds nothing in %j, and says why', (head, message) => {
    const messages = [];
    try {
      detectFormat(Buffer.from(head));
    } catch (error) {
      if (error instanceof FileError) messages.push(error.message);
    }
    expect(messages).toEqual([expect.stringContaining(message)]);
  });

  test('fails in no other way', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (head) => {
        try {
          detectFormat(Buffer.from(head));
        } catch (error) {
          expect(error).toBeInstanceOf(FileError);
        }
      }),
    );
  });

  test.each([
    ['\ufeffuser,follower\n', 'utf16le', 'UTF-16'],
    ['user,follower\n', 'utf16le', 'UTF-16'],
    ['PK\x03\x04xl/', 'latin1', 'a ZIP archive or a workbook'],
    ['BZh91AY', 'latin1', 'compressed by bzip2'],
  ] as const)('says what is no text: %j in %s', (text, encoding, what) => {
    expect(() => {
      refuseOtherEncodings(Buffer.from(text, encoding));
    }).toThrow(`the file is ${what}`);
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
          const parsed = await readAll(format, bytes).catch(refused);
          expect(await readAll(format, bytes, size).catch(refused)).toEqual(parsed);
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
    fc.string({ unit: 'binary' }).map((text) => text.replace(/[\r\n\uFEFF]/g, '')),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
      const follows = await readAll(formatNamed('follows'), lines.join('\n'));
      const expected = lines.flatMap((text, index) => (/^[ \t]*([#%]|$)/.test(text) ? [] : [index + 1]));
      expect(follows.map((row) => row.line)).toEqual(expected);
      const tweets = await readAll(formatNamed('tweets-geo'), lines.join('\n'));
      expect(tweets.map((row) => row.line)).toEqual(
        lines.flatMap((text, index) => (text.trim() === '' ? [] : [index + 1])),
      );
    }),
  );
});

/** A file may be refused as a whole, and fails in no other way. */
function refused(error: unknown): [] {
  expect(error).toBeInstanceOf(FileError);
  return [];
}

test.each(['deleted_tweets', 'direct_messages'])(
  'the part %s of an archive is not imported, also if its format is named',
  async (part) => {
    const file = `window.YTD.${part}.part0 = [{"tweet":${tweet}}]`;
    await expect(readAll(formatNamed('twitter'), file)).rejects.toThrow(
      `it is the part ${part} of an archive`,
    );
  },
);

test.each([
  ['statuses of Mastodon', '[{"id":"5","content":"x","account":{"id":"7","username":"ada"}}]'],
  [
    'messages of Telegram',
    `{"name":"x","messages":[${'{"id":5,"from_id":"user7","text":"x"},'.repeat(2000)}{"id":6,"text":"y"}]}`,
  ],
])('%s are not taken for tweets of Twitter', (_, head) => {
  expect(() => detectFormat(Buffer.from(head).subarray(0, 65_536))).toThrow(FileError);
});

test('an array of answers is found by its beginning, also of users, and however long the first one is', () => {
  const user = { id: '7', name: 'Ada', username: 'ada' };
  for (const count of [1, 2000])
    for (const indent of [undefined, 2]) {
      const file = JSON.stringify([{ data: Array.from({ length: count }, () => user) }], null, indent);
      expect(detectFormat(Buffer.from(file).subarray(0, 65_536)).name).toBe('twitter');
    }
});
