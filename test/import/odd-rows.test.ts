import { startHarness, type Harness } from '../support/harness';
import { ask } from '../support/mutations';
import { importFiles } from './import-files';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});
beforeEach(() => server.empty());

const tweet = (id: number, more = '') =>
  `{"created_at":"Tue Dec 06 05:31:41 +0000 2022","id_str":"159999000000000${1000 + id}","text":"hi","user":{"id_str":"7","screen_name":"ada","name":"Ada"}${more}}`;
const deep = (open: string, close: string) => `${open.repeat(20_000)}1${close.repeat(20_000)}`;
const lists = deep('[', ']');
const user = (more: string) => `,"user":{"id_str":"8","screen_name":"bo","name":"Bo",${more}}`;

/** Rows with the reason why they are rejected; null for those that are taken. */
const rows: readonly (readonly [row: string, reason: string | null])[] = [
  [tweet(1, `,"favorite_count":${lists}`), 'favorite_count is nested too deeply'],
  [tweet(2, `,"lang":${deep('{"a":', '}')}`), 'lang is nested too deeply'],
  [tweet(3, user(`"created_at":${lists}`)), 'created_at is nested too deeply'],
  [tweet(4, `,"entities":${lists}`), null],
  [lists, 'no JSON object'],
  [deep('{"data":[', ']}'), 'an answer within answers, which is not read'],
  [deep('{"includes":{"tweets":[', ']}}'), 'an answer within answers, which is not read'],
  [tweet(5, `,"in_reply_to_status_id":1e999,"favorite_count":1e999,"retweet_count":-0`), null],
  [tweet(6, `,"in_reply_to_status_id":${'1'.repeat(100_000)}`), null],
  [tweet(7, ',"full_text":"\\ud800"'), 'the text must be well-formed Unicode, but holds a lone surrogate'],
  [tweet(8, user('"name":"\\udc00"')), 'the name must be well-formed Unicode, but holds a lone surrogate'],
  [
    tweet(9, user('"screen_name":"\\ud800b"')),
    'the username must be well-formed Unicode, but holds a lone surrogate',
  ],
  [tweet(10, ',"full_text":"a\\u0000b #a\\u0000b @\\u0000"'), null],
  [tweet(11, ',"user":{"id_str":"9","screen_name":"\\u0000","name":"\\u0000"}'), null],
  [tweet(12, ',"__proto__":{"id_str":"1"},"constructor":1,"toJSON":1,"hasOwnProperty":null'), null],
  [tweet(13, ',"full_text":"#__proto__ #constructor @__proto__ @constructor","lang":"constructor"'), null],
  [tweet(14, ',"user":{"id_str":"10","screen_name":"__proto__","name":"constructor"}'), null],
  [tweet(15, ',"user":{"screen_name":"constructor","name":"__proto__"}'), null],
];

test.each([
  ['lines', (all: readonly string[]) => all.join('\n')],
  ['an array', (all: readonly string[]) => `[${all.join(',\n')}]`],
])('a row that is like no other costs only itself: in %s', async (_, write) => {
  const file = write([tweet(0), ...rows.map(([row]) => row), tweet(99)]);
  const { refused, rejected } = await importFiles(server, { 'odd.json': file });
  expect(refused).toEqual([]);
  expect(rejected).toEqual(
    rows.flatMap(([, reason], index) => (reason === null ? [] : [`${index + 2}: ${reason}`])),
  );
  const shown = await ask(
    server,
    `{ ${[0, 99].map((id) => `t${id}: tweet(tweetId: "159999000000000${1000 + id}") { content }`).join(' ')} }`,
  );
  expect(shown).toEqual({ t0: { content: 'hi' }, t99: { content: 'hi' } });
});
