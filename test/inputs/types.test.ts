import { startHarness, type Harness } from '../support/harness';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});

/** The messages of a request that must be refused as a whole. */
async function messagesOf(source: string, variables: Readonly<Record<string, unknown>> = {}) {
  const { status, data, errors } = await server.query(source, variables, '1');
  expect([status, data]).toEqual([400, undefined]);
  expect(new Set(errors.map(({ extensions }) => extensions.code))).toEqual(new Set(['BAD_USER_INPUT']));
  return errors.map(({ message }) => message);
}

const inUser = (field: string) => `{ user(username: "ada") { ${field} } }`;
const update = (input: string, declared = '') =>
  `mutation ${declared} { updateUser(input: ${input}) { user { id } } }`;

test.each([
  ['an argument', '{ user(username: 5) { id } }', 'user.username: String cannot represent a non string'],
  ['null', '{ user(username: null) { id } }', 'user.username: Expected value of type "String!", found null.'],
  ['an argument below', inUser('tweets(first: "x") { nodes { id } }'), 'tweets.first: Int cannot represent'],
  [
    'an enum',
    inUser('tweets(order: OLDEST) { nodes { id } }'),
    'tweets.order: Value "OLDEST" does not exist',
  ],
  ['an item', '{ searchTweets(words: ["a", 5]) { nodes { id } } }', 'searchTweets.words[1]: String cannot'],
  ['a date', '{ tweetsOfDay(day: "x") { nodes { id } } }', 'tweetsOfDay.day: Date cannot represent'],
  ['a moment', '{ topAccounts(at: "x") { takenAt } }', 'topAccounts.at: A DateTime must be'],
  ['an input field', update('{ name: 5 }'), 'updateUser.input.name: String cannot represent'],
  ['an unknown input field', update('{ nam: "x" }'), 'updateUser.input.nam: Field "nam" is not defined by'],
  [
    'a missing input field',
    'mutation { createTweet(input: { location: { latitude: 1 }, content: "x" }) { tweet { id } } }',
    'createTweet.input.location: Field "LocationInput.longitude" of required type',
  ],
  ['a text in place of an object', update('"x"'), 'updateUser.input: Expected value of type'],
  ['a condition', '{ user(username: "ada") @skip(if: "x") { id } }', '@skip.if: Boolean cannot represent'],
  [
    'the default of a variable',
    'query ($n: Int = "x") { user(username: "ada") { tweets(first: $n) { nodes { id } } } }',
    '$n: Int cannot represent',
  ],
  [
    'a fragment',
    '{ ...A } fragment A on Query { user(username: [1]) { id } }',
    'user.username: String cannot represent',
  ],
  [
    'a variable of another type',
    'query ($n: Int) { user(username: $n) { id } }',
    'user.username: Variable "$n" of type "Int" used in position expecting type "String!".',
  ],
])('the error about %s of the wrong type names its place', async (_what, source, beginning) => {
  const messages = await messagesOf(source);
  expect(messages.map((message) => message.slice(0, beginning.length))).toEqual([beginning]);
});

test.each<[string, string, Readonly<Record<string, unknown>>, string]>([
  [
    'an argument',
    'query ($n: Int) { user(username: "ada") { tweets(first: $n) { nodes { id } } } }',
    { n: 'x' },
    'tweets.first: Variable "$n" got invalid value "x"; Int cannot represent non-integer value: "x"',
  ],
  [
    'an argument that is not given',
    'query ($n: String!) { user(username: $n) { id } }',
    {},
    'user.username: Variable "$n" of required type "String!" was not provided.',
  ],
  [
    'an input object',
    update('$i', '($i: UpdateUserInput!)'),
    { i: { name: 5 } },
    'updateUser.input: Variable "$i" got invalid value 5 at "i.name"; String cannot represent a non string value: 5',
  ],
  [
    'an input field',
    update('{ name: $n }', '($n: String)'),
    { n: 5 },
    'updateUser.input.name: Variable "$n" got invalid value 5; String cannot represent a non string value: 5',
  ],
  [
    'a fragment',
    'query ($n: String!) { ...A } fragment A on Query { searchTweets(words: ["a", $n]) { nodes { id } } }',
    { n: 5 },
    'searchTweets.words[1]: Variable "$n" got invalid value 5; String cannot represent a non string value: 5',
  ],
  [
    'a condition',
    'query ($b: Boolean!) { user(username: "ada") { id @include(if: $b) } }',
    { b: 5 },
    '@include.if: Variable "$b" got invalid value 5; Boolean cannot represent a non boolean value: 5',
  ],
])('the error about a variable in %s names its place', async (_what, source, variables, message) => {
  for (let n = 0; n < 2; n++) expect(await messagesOf(source, variables)).toEqual([message]);
});

test('a null that must not be one refuses the whole request, however often the query has run', async () => {
  const source =
    'query ($name: String = "ada", $b: Boolean = true) { user(username: $name) { id @include(if: $b) } }';
  for (let n = 0; n < 2; n++) {
    expect((await server.query(source)).errors).toEqual([]);
    expect(await messagesOf(source, { name: null })).toEqual([
      'Argument "username" of non-null type "String!" must not be null.',
    ]);
    expect(await messagesOf(source, { b: null })).toEqual([
      'Argument "if" of non-null type "Boolean!" must not be null.',
    ]);
  }
});

test('the errors of a subscription name the place, too', async () => {
  const ask = async (query: string, variables: object) => {
    const headers = { accept: 'text/event-stream' };
    const { body } = await server.inject({
      method: 'POST',
      url: '/graphql',
      headers,
      payload: { query, variables },
    });
    return body;
  };
  expect(await ask('subscription { tweetPosted(username: 5) { cursor } }', {})).toContain(
    'tweetPosted.username: String cannot represent a non string value: 5',
  );
  const source = 'subscription ($a: AreaInput) { tweetPosted(area: $a) { cursor } }';
  expect(await ask(source, { a: { south: 'x' } })).toContain('tweetPosted.area: Variable');
});
