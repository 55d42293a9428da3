import { flatCsv } from '../../src/import/formats/flat-csv';
import { tweetsCsv, tweetsGeo } from '../../src/import/formats/tweets-csv';
import { twintCsv } from '../../src/import/formats/twint-csv';
import { twitter } from '../../src/import/formats/twitter';
import { parseLine, type FileName } from '../../src/import/own/lines';
import type { Format } from '../../src/import/records/record';
import { isBlank } from '../../src/kit/input/input-text';
import { readAll, rejectsIn, tweetsIn } from './read';

/** Texts that show nothing: spaces, line breaks, signs without width, fillers, blank signs. */
const BLANK = [
  '',
  ' ',
  '\t\n ',
  '\u00a0\u3000',
  '\u200b\ufeff',
  '\u2060\u200d',
  '\u3164',
  '\u2800',
  '\u{e0020}',
];
/** Texts that look like nothing, and are texts. */
const SHOWN = ['.', 'null', 'nan', ' x ', '\u200bя', '🎉'];

const ID = '1600000000000000002';
const AT = '2022-12-18T14:03:56Z';
const user = { id_str: '77', screen_name: 'ada' };

/** A tweet with some text in each format that has texts. */
const formats: Readonly<Record<string, readonly [Format, (text: string) => string]>> = {
  'tweets-csv': [tweetsCsv, (text) => `tweet_id,author_id,text\n${ID},77,"${text}"\n`],
  'flat-csv': [flatCsv, (text) => `author,content,date_time,id\nada,"${text}",${AT},${ID}\n`],
  'twint-csv': [twintCsv, (text) => `id,user_id,username,tweet\n${ID},77,ada,"${text}"\n`],
  'tweets-geo': [
    tweetsGeo,
    (text) => JSON.stringify({ id_str: ID, created_at: AT, text, user: { screen_name: 'ada' } }),
  ],
  'Twitter v1.1': [twitter, (full_text) => JSON.stringify({ id_str: ID, created_at: AT, full_text, user })],
  'Twitter v2': [twitter, (text) => JSON.stringify({ id: ID, created_at: AT, text, author_id: '77' })],
};

test.each(Object.entries(formats))(
  'a tweet in %s whose text shows nothing is rejected, and any other is taken as it is',
  async (_, [format, write]) => {
    for (const text of BLANK) {
      expect([text, isBlank(text)]).toEqual([text, true]);
      const parsed = await readAll(format, write(text));
      expect([text, rejectsIn(parsed).map(({ rejected }) => rejected), tweetsIn(parsed)]).toEqual([
        text,
        ['no text'],
        [],
      ]);
    }
    for (const text of SHOWN)
      expect(tweetsIn(await readAll(format, write(text))).map(({ content }) => content)).toEqual([text]);
  },
);

const time = '2026-01-01T00:00:00.000Z';
/** A line of each file of an export that has texts which its person wrote, and the names of these. */
const lines: readonly (readonly [FileName, object, readonly string[]])[] = [
  ['tweets', { tweetId: '9', createdAt: time, language: 'en', content: 'A' }, ['content']],
  ['articles', { articleId: '9', publishedAt: time, tags: ['x'], title: 'A', body: 'B' }, ['title', 'body']],
  ['comments', { commentId: '8', articleId: '9', createdAt: time, body: 'B' }, ['body']],
];

test.each(lines)(
  'a line of %s of an export comes back although its text shows nothing',
  (name, line, texts) => {
    for (const key of texts)
      for (const text of BLANK)
        expect(parseLine(name, JSON.stringify({ ...line, [key]: text }))).toMatchObject({ [key]: text });
  },
);

test('a long form of a text that shows nothing gives way to the text', async () => {
  const long = { full_text: '', extended_tweet: { full_text: '\u2800' } };
  const object = { id_str: ID, created_at: AT, user, text: 'shown', ...long };
  const read = await readAll(twitter, JSON.stringify(object));
  expect(tweetsIn(read).map(({ content }) => content)).toEqual(['shown']);
});
