import { getNamedType, type GraphQLInputType, type GraphQLNamedInputType, isInputObjectType } from 'graphql';
import { person, startHarness, type Harness } from '../support/harness';
import { everyCase, literal, queryOf, valueOf } from './cases';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada')]);
});

/** Asks, and expects one refusal before anything is read. */
async function refusal(source: string, variables: Readonly<Record<string, unknown>> = {}, who = '1') {
  const { status, data, errors, reads } = await server.query(source, variables, who);
  expect([status, data, reads, errors.length]).toEqual([400, undefined, [], 1]);
  return `${errors[0]?.extensions.code}: ${errors[0]?.message}`;
}

/** The type of a value within an argument. */
function leafOf(type: GraphQLInputType, path: readonly string[]): GraphQLNamedInputType {
  const [first, ...rest] = path;
  const named = getNamedType(type);
  const inner = isInputObjectType(named) ? named.getFields()[first ?? ''] : undefined;
  return inner === undefined ? named : leafOf(inner.type, rest);
}

test('whatever is one beyond its bounds is refused before anything is read, in a literal and in a variable', async () => {
  expect(everyCase.length).toBeGreaterThan(80);
  for (const { type, field, argument, path, beyond, limit } of everyCase) {
    const value = valueOf(argument.type, path.slice(1), beyond);
    const place = [field.name, ...path].join('.').replace('.0', '[0]');
    const expected = `BAD_USER_INPUT: ${place} ${limit}`;
    const inVariable = queryOf(type, field, '$it', argument.name);
    expect(await refusal(inVariable(`$it: ${String(argument.type)}`), { it: value })).toBe(expected);
    // A date that is none is refused as such where it stands in the document.
    if (!/^Date/.test(leafOf(argument.type, path.slice(1)).name))
      expect(await refusal(queryOf(type, field, literal(value), argument.name)())).toBe(expected);
  }
});

test('what is just within its bounds is let through', async () => {
  const word = 'x'.repeat(100);
  const { errors } = await server.query(
    'query ($words: [String!]!) { searchTweets(words: $words) { nodes { id } } }',
    {
      words: Array.from({ length: 8 }, () => word),
    },
  );
  expect(errors).toEqual([]);
});

const long = 'x'.repeat(101);
const tooLong =
  'BAD_USER_INPUT: searchTweets.words[1] must be at most 100 characters (UTF-16 code units), but got 101.';
test.each([
  [
    'a variable within a list',
    'query ($a: String!) { searchTweets(words: ["a", $a]) { nodes { id } } }',
    { a: long },
  ],
  [
    'a variable of a list, through fragments',
    'query ($a: [String!]!) { ...A } fragment A on Query { ... on Query { ...B } } fragment B on Query { searchTweets(words: $a) { nodes { id } } }',
    { a: ['a', long] },
  ],
  [
    'a literal in a fragment',
    `{ ...A } fragment A on Query { searchTweets(words: ["a", "${long}"]) { nodes { id } } }`,
    {},
  ],
  [
    'the default of a variable',
    `query ($a: [String!]! = ["a", "${long}"]) { searchTweets(words: $a) { nodes { id } } }`,
    {},
  ],
  [
    'a field that is not asked for after all',
    'query ($a: [String!]!, $no: Boolean = false) { searchTweets(words: $a) @include(if: $no) { nodes { id } } __typename }',
    { a: ['a', long] },
  ],
  [
    'an operation among others',
    'query ($a: [String!]!) { again: searchTweets(words: $a) { nodes { id } } searchTweets(words: "a") { nodes { id } } }',
    { a: ['a', long] },
  ],
])('%s is looked at', async (_name, source, variables) => {
  expect(await refusal(source, variables)).toBe(tooLong);
});

test('a variable is held to the bounds of each place that it is used in', async () => {
  const source =
    'query ($a: String!) { user(username: $a) { id } tweet(tweetId: $a) { id } hashtag(name: $a) { name } }';
  const { errors } = await server.query(source, { a: '1'.repeat(20) });
  expect(errors).toEqual([]);
  expect(await refusal(source, { a: '1'.repeat(21) })).toBe(
    'BAD_USER_INPUT: tweet.tweetId must be at most 20 characters (UTF-16 code units), but got 21.',
  );
  expect(await refusal(source, { a: '1'.repeat(501) })).toMatch(/user.username must be at most 500/);
});

test('a variable within an input object is looked at, and the whole object', async () => {
  const ofField =
    'mutation ($t: String!) { publishArticle(input: { title: $t, body: "b" }) { article { id } } }';
  const expected =
    'BAD_USER_INPUT: publishArticle.input.title must be at most 4000 bytes of UTF-8, but got 4001.';
  expect(await refusal(ofField, { t: 'x'.repeat(4001) })).toBe(expected);
  const ofTag =
    'mutation ($t: String!) { publishArticle(input: { title: "t", body: "b", tags: ["a", $t] }) { article { id } } }';
  expect(await refusal(ofTag, { t: 'x'.repeat(1001) })).toMatch(
    /publishArticle.input.tags\[1\] must be at most 1000/,
  );
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`titel${n}`, 1]));
  const ofAll = 'mutation ($i: PublishArticleInput!) { publishArticle(input: $i) { article { id } } }';
  expect(await refusal(ofAll, { i: many })).toBe(
    'BAD_USER_INPUT: publishArticle.input must have at most 4 fields, but got 50000.',
  );
});

test('a value alone is the only item of a list, and what is nested where nothing can be is refused', async () => {
  const source = 'query ($a: [String!]!) { searchTweets(words: $a) { nodes { id } } }';
  expect(await refusal(source, { a: long })).toMatch(/searchTweets.words must be at most 100 characters/);
  const refused = 'BAD_USER_INPUT: searchTweets.words';
  expect(await refusal(source, { a: { a: long } })).toBe(
    `${refused} must be of type [String!]!, but got: an object`,
  );
  expect(await refusal(source, { a: [[long]] })).toBe(
    `${refused}[0] must be of type String!, but got: a list`,
  );
});

test('a request of the same query is looked at again', async () => {
  const source = 'query ($a: [String!]!) { searchTweets(words: $a) { nodes { id } } }';
  for (const _ of [1, 2]) {
    expect((await server.query(source, { a: ['a', 'b'] })).errors).toEqual([]);
    expect(await refusal(source, { a: ['a', long] })).toBe(tooLong);
  }
});

test('values of other types and names in introspection are bounded, too', async () => {
  expect(
    await refusal('query ($n: Int) { user(username: "ada") { tweets(first: $n) { nodes { id } } } }', {
      n: long,
    }),
  ).toBe('BAD_USER_INPUT: tweets.first must be at most 100 characters (UTF-16 code units), but got 101.');
  expect(await refusal('query ($n: String!) { __type(name: $n) { name } }', { n: long })).toBe(
    'BAD_USER_INPUT: __type.name must be at most 100 characters (UTF-16 code units), but got 101.',
  );
});

test('an article that is too long is refused without a look at its text, and a long one is counted', async () => {
  const source = 'mutation ($i: PublishArticleInput!) { publishArticle(input: $i) { article { id } } }';
  expect(await refusal(source, { i: { title: 't', body: 'x'.repeat(999_000) } })).toBe(
    'BAD_USER_INPUT: publishArticle.input.body must be at most 100000 bytes of UTF-8, but got 999000.',
  );
  const published = async (body: string) => {
    const { errors } = await server.query(source, { i: { title: 't', body } }, '1');
    return errors.map(({ message }) => message);
  };
  expect(await published('x'.repeat(50_000))).toEqual([]);
  expect(await published('x'.repeat(99_000))).toEqual([
    'body must be at most 50000 graphemes, but got 99000.',
  ]);
});

test.each([
  ['list', (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`],
  ['object', (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`],
])('a deep %s for a date is refused and not printed', async (_name, deep) => {
  const query = 'query ($a: Date!) { tweetsOfDay(day: $a) { nodes { id } } }';
  const { body } = await server.post(`{ "query": "${query}", "variables": { "a": ${deep(90_000)} } }`);
  expect(JSON.parse(body)).toMatchObject({
    errors: [
      { message: expect.stringMatching(/^tweetsOfDay.day must be of type Date!, but got: a/) as string },
    ],
  });
});

test.each([
  ['an alias', `{ ${'a'.repeat(201)}: __typename }`],
  ['a name', `query ${'a'.repeat(201)} { __typename }`],
  ['a number', `{ user(username: "ada") { tweets(first: ${'9'.repeat(201)}) { nodes { id } } } }`],
])('%s of more than 200 characters is refused', async (_name, source) => {
  expect(await refusal(source)).toBe(
    'QUERY_TOO_LARGE: A name or number may have 200 characters, but this one has 201.',
  );
});

test('a message repeats no more than the beginning of a value that it refuses', async () => {
  const message = await refusal(`{ tweetsOfDay(day: "${'x'.repeat(100_000)}") { nodes { id } } }`);
  expect(message).toMatch(
    /^BAD_USER_INPUT: tweetsOfDay.day: Date cannot represent an invalid date-string x+…$/,
  );
  expect(message.length).toBeLessThan(1100);
});
