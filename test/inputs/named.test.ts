import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { person, startHarness, tweet, type Harness } from '../support/harness';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada'), tweet('10', '1')]);
});

const long = 'x'.repeat(101);
const search = (args: string) => `{ searchTweets(${args}) { nodes { id } } }`;
const post = (input: string) => `mutation { createTweet(input: { content: "a" ${input} }) { tweet { id } } }`;
const publish = (input: string) => `mutation { publishArticle(input: { ${input} }) { article { id } } }`;
const inArea = (area: string, from = '2020-01-01T00:00:00Z') =>
  `{ tweetsInArea(area: { ${area} }, from: "${from}", to: "2021-01-01T00:00:00Z") { nodes { id } } }`;
const profile = (input: string) => `mutation { updateUser(input: { ${input} }) { user { id } } }`;
const user = encodeNodeId('User', '1');

test.each<[argument: string, source: string, variables?: Readonly<Record<string, unknown>>]>([
  // Before anything is executed: too long, too many, and of the wrong type, in the document and in variables.
  ['words[1]', search(`words: ["a", "${long}"]`)],
  ['words[1]', 'query ($w: [String!]!) { searchTweets(words: $w) { nodes { id } } }', { w: ['a', long] }],
  ['words[1]', 'query ($w: String!) { searchTweets(words: ["a", $w]) { nodes { id } } }', { w: long }],
  ['words', search(`words: ["1","2","3","4","5","6","7","8","9"]`)],
  ['words[1]', search('words: ["a", 5]')],
  ['words[1]', 'query ($w: [String!]!) { searchTweets(words: $w) { nodes { id } } }', { w: ['a', 5] }],
  ['input.name', profile('name: 5')],
  [
    'input.name',
    'mutation ($i: UpdateUserInput!) { updateUser(input: $i) { user { id } } }',
    { i: { name: 5 } },
  ],
  [
    'input',
    'mutation ($i: UpdateUserInput!) { updateUser(input: $i) { user { id } } }',
    { i: { nom: ' at "i.name"; ' } },
  ],
  ['day', '{ tweetsOfDay(day: "yesterday") { nodes { id } } }'],
  ['first', 'query ($f: Int) { user(username: "ada") { tweets(first: $f) { nodes { id } } } }', { f: 'ten' }],
  // By the field itself.
  ['first', search('words: ["a"], first: 0')],
  ['last', '{ user(username: "ada") { tweets(last: 101) { nodes { id } } } }'],
  ['last', '{ user(username: "ada") { tweets(first: 1, last: 1) { nodes { id } } } }'],
  ['after', '{ user(username: "ada") { tweets(after: "x") { nodes { id } } } }'],
  ['before', '{ user(username: "ada") { tweets(before: "x") { nodes { id } } } }'],
  ['words[1]', search('words: ["a", "…"]')],
  ['words', search('words: []')],
  ['id', '{ node(id: "x") { id } }'],
  ['ids[1]', `{ nodes(ids: ["${user}", "x"]) { id } }`],
  ['id', `mutation { followUser(id: "${user}") { followee { id } } }`],
  ['input.inReplyTo', post(`inReplyTo: "${user}"`)],
  ['input.quotes', post(`quotes: "${encodeNodeId('Tweet', '99')}"`)],
  ['input.language', post('language: "?"')],
  ['input.location.latitude', post('location: { latitude: 91, longitude: 0 }')],
  ['input.idempotencyKey', post('idempotencyKey: ""')],
  ['input.body', publish('title: "a", body: " "')],
  ['input.tags[1]', publish('title: "a", body: "a", tags: ["a", " "]')],
  ['input.description', profile(`description: "${'x'.repeat(501)}"`)],
  ['input.twitterAccount', profile('twitterAccount: "a b"')],
  ['area.south', inArea('south: 91, west: 0, north: 1, east: 1')],
  ['from', inArea('south: 0, west: 0, north: 1, east: 1', '2022-01-01T00:00:00Z')],
  ['scope', `mutation { muteUser(id: "${encodeNodeId('User', '2')}", scope: []) { user { id } } }`],
  ['input.text', 'mutation { muteWords(input: { text: "…" }) { mutedWord { id } } }'],
  ['until', 'mutation { markNotificationsSeen(until: "x") { unreadNotifications { count } } }'],
  [
    'folder',
    `mutation { bookmarkTweet(id: "${encodeNodeId('Tweet', '10')}", folder: " ") { tweet { id } } }`,
  ],
  // Each text that a person writes.
  ...['\\u0000', '\\u001b'].flatMap((sign): [string, string][] => [
    ['input.content', `mutation { createTweet(input: { content: "a${sign}" }) { tweet { id } } }`],
    ['input.location.country', post(`location: { latitude: 1, longitude: 1, country: "a${sign}" }`)],
    ['input.title', publish(`title: "a${sign}", body: "a"`)],
    ['input.body', publish(`title: "a", body: "a${sign}"`)],
    ['input.tags[0]', publish(`title: "a", body: "a", tags: ["a${sign}"]`)],
    [
      'input.body',
      `mutation { addComment(input: { articleId: "${encodeNodeId('Article', '1')}", body: "a${sign}" }) { comment { id } } }`,
    ],
    ['input.name', profile(`name: "a${sign}"`)],
    ['input.description', profile(`description: "a${sign}"`)],
    ['input.text', `mutation { muteWords(input: { text: "a${sign}" }) { mutedWord { id } } }`],
    [
      'folder',
      `mutation { bookmarkTweet(id: "${encodeNodeId('Tweet', '10')}", folder: "a${sign}") { tweet { id } } }`,
    ],
  ]),
  ['input.name', profile('name: "a\\u202e"')],
  [
    'folder',
    `mutation { bookmarkTweet(id: "${encodeNodeId('Tweet', '10')}", folder: "a\\u2067") { tweet { id } } }`,
  ],
  ['confirm', 'mutation { deleteAccount(confirm: "bo") { accountDeletion { startsAt } } }'],
  ['depth', '{ tweet(tweetId: "10") { thread(depth: 0) { edges { depth } } } }'],
])('an error about %s names it: %s', async (argument, source, variables = {}) => {
  const { errors } = await server.query(source, variables, '1');
  expect(errors.map(({ extensions }) => extensions)).toEqual([{ code: 'BAD_USER_INPUT', argument }]);
});

test.each([
  ['a directive', '{ user(username: "ada") @include(if: 5) { id } }'],
  [
    'the default of a variable',
    'query ($f: Int = "ten") { user(username: "ada") { tweets(first: $f) { nodes { id } } } }',
  ],
  ['a field that is not there', '{ users { id } }'],
])('an error about %s names no argument', async (_what, source) => {
  const { errors } = await server.query(source, {}, '1');
  expect(errors.map(({ extensions }) => extensions)).toEqual([{ code: 'BAD_USER_INPUT' }]);
});
