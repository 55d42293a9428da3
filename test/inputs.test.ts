import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isScalarType,
  isSpecifiedScalarType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
} from 'graphql';
import 'reflect-metadata';
import { Arg, ArgsType, Args, Field, InputType, Query, Resolver } from 'type-graphql';
import { createSchema as createHotels } from '../examples/hotels/src/schema';
import { createSchema as createWeather } from '../examples/weather/src/schema';
import { saidBounds, VALUE_BOUNDS, type Bounds } from '../src/kit/input/input-bounds';
import { buildApi } from '../src/kit/graphql/schema';
import { createSchema } from '../src/schema';
import { person, startHarness, type Harness } from './harness';

const schema = createSchema();

interface Input {
  readonly coordinate: string;
  readonly input: GraphQLArgument | GraphQLInputField;
}

function inputsOf(of: typeof schema): Input[] {
  return Object.values(of.getTypeMap()).flatMap((type): Input[] => {
    if (type.name.startsWith('__')) return [];
    if (isInputObjectType(type))
      return Object.values(type.getFields()).map((input) => ({
        coordinate: `${type.name}.${input.name}`,
        input,
      }));
    if (!isObjectType(type)) return [];
    return Object.values(type.getFields()).flatMap(({ name, args }) =>
      args.map((input) => ({ coordinate: `${type.name}.${name}(${input.name}:)`, input })),
    );
  });
}

describe('the schema', () => {
  const all = [schema, createHotels(), createWeather()].flatMap(inputsOf);

  test('bounds each text, id and list, and says so', () => {
    const unsaid = all.filter(({ input: { type, extensions, description } }) => {
      const named = getNamedType(type).name;
      const isText = named === 'String' || named === 'ID';
      const isList = isListType(getNullableType(type));
      const { bounds } = extensions;
      if (!isText && !isList) return false;
      if (isText && !((bounds?.maxLength ?? 0) > 0)) return true;
      if (isList && !((bounds?.maxItems ?? 0) > 0)) return true;
      return !description?.endsWith(`At most ${saidBounds(bounds ?? {})}.`);
    });
    expect(unsaid.map(({ coordinate }) => coordinate)).toEqual([]);
    expect(all.length).toBeGreaterThan(80);
  });

  test('bounds each other scalar that is read from text, and says so', () => {
    const scalars = new Set(all.map(({ input }) => getNamedType(input.type)).filter(isScalarType));
    const own = [...scalars].filter((type) => !isSpecifiedScalarType(type));
    expect(own.map(({ name }) => name)).toEqual(expect.arrayContaining(['Date', 'DateTime']));
    for (const { description, extensions } of own) {
      expect(extensions.bounds).toEqual(VALUE_BOUNDS);
      expect(description).toMatch(/[^.]\. ?An argument has at most 100 characters\.$/);
    }
    expect(getScalar('JSON')?.description).not.toMatch(/characters/);
  });

  test.each([
    [{ maxLength: 1000 }, '1,000 characters'],
    [{ maxItems: 8 }, '8 items'],
    [
      { maxItems: 20, maxGraphemes: 50, maxLength: 1000 },
      '20 items, each at most 50 graphemes and 1,000 characters',
    ],
  ])('says the bounds %j', (bounds: Bounds, said) => {
    expect(saidBounds(bounds)).toBe(said);
  });

  test('cannot be built with a text, id or list that has no bounds', () => {
    @Resolver()
    class Unbounded {
      @Query(() => String)
      unbounded(@Arg('text', () => String) text: string) {
        return text;
      }
    }
    expect(() => buildApi([Unbounded], {})).toThrow(
      /^Query.unbounded\(text:\) must declare its bounds by @Bounded/,
    );

    @ArgsType()
    class UnboundedArgs {
      @Field(() => [Number])
      numbers: number[];
    }
    @Resolver()
    class UnboundedList {
      @Query(() => Number)
      count(@Args(() => UnboundedArgs) { numbers }: UnboundedArgs) {
        return numbers.length;
      }
    }
    expect(() => buildApi([UnboundedList], {})).toThrow(
      /^Query.count\(numbers:\) must declare its bounds by @Bounded/,
    );

    @InputType()
    class UnboundedInput {
      @Field(() => String)
      text: string;
    }
    @Resolver()
    class UnboundedObject {
      @Query(() => String)
      echo(@Arg('input', () => UnboundedInput) { text }: UnboundedInput) {
        return text;
      }
    }
    expect(() => buildApi([UnboundedObject], {})).toThrow(
      /^UnboundedInput.text must declare its bounds by @Bounded/,
    );
  });

  function getScalar(name: string) {
    const type = schema.getType(name);
    return isScalarType(type) ? type : null;
  }
});

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

/** A value of a type that is right in form; `there` stands at the given path of it. */
function valueOf(type: GraphQLInputType, path: readonly string[], there: unknown): unknown {
  const nullable = getNullableType(type);
  const [key, ...rest] = path;
  if (isListType(nullable))
    return key === '0' ? [valueOf(nullable.ofType, rest, there)] : path.length === 0 ? (there ?? []) : [];
  if (isInputObjectType(nullable)) {
    const given = Object.values(nullable.getFields()).flatMap((field) =>
      field.name === key
        ? [[field.name, valueOf(field.type, rest, there)]]
        : isRequiredInputField(field)
          ? [[field.name, valueOf(field.type, [], null)]]
          : [],
    );
    return Object.fromEntries(given);
  }
  return there ?? samples[nullable.name] ?? 0;
}

const samples: Readonly<Record<string, unknown>> = {
  String: 'x',
  ID: 'x',
  Date: '2026-01-01',
  DateTime: '2026-01-01T00:00:00Z',
  RankingKind: 'TOP_ACCOUNTS',
  TweetOrder: 'NEWEST',
};

/** Each place of an argument that has bounds: the path to it, and what is one beyond it with the message. */
interface Case {
  readonly path: readonly string[];
  readonly beyond: unknown;
  readonly limit: string;
}

function casesOf(name: string, { type, extensions }: GraphQLArgument | GraphQLInputField): Case[] {
  const nullable = getNullableType(type);
  const named = getNamedType(type);
  const at = ({ path, ...more }: Case) => ({ ...more, path: [name, ...path] });
  const bounds = extensions.bounds ?? VALUE_BOUNDS;
  if (isInputObjectType(named))
    return Object.values(named.getFields())
      .flatMap((field) => casesOf(field.name, field))
      .map(at);
  const length = (bounds.maxLength ?? 0) + 1;
  const said = `must be at most ${length - 1} characters, but got ${length}.`;
  const beyond = samples[named.name]?.toString().slice(0, 1).repeat(length);
  if (!isScalarType(named) || beyond === undefined) return [];
  if (!isListType(nullable)) return [at({ path: [], beyond, limit: said })];
  const count = (bounds.maxItems ?? 0) + 1;
  const items = `must be at most ${count - 1} items, but got ${count}.`;
  return [
    { path: ['0'], beyond, limit: said },
    // All of them too long: the count is told, they are not looked at.
    { path: [], beyond: Array.from({ length: count }, () => beyond), limit: items },
  ].map(at);
}

/** The way to a field of a type from the roots, and who may ask. */
const ways: Readonly<Record<string, (field: string) => string>> = {
  Query: (field) => `{ ${field} }`,
  Mutation: (field) => `{ ${field} }`,
  User: (field) => `{ user(username: "ada") { ${field} } }`,
  Tweet: (field) => `{ tweet(tweetId: "1") { ${field} } }`,
  Hashtag: (field) => `{ hashtag(name: "a") { ${field} } }`,
  Article: (field) => `{ article(id: "x") { ${field} } }`,
};

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([key, inner]) => `${key}: ${literal(inner)}`)
      .join(', ')} }`;
  return /^(TOP_ACCOUNTS|NEWEST)$/.test(String(value)) ? String(value) : JSON.stringify(value);
}

/** A query that gives a field an argument, as a literal or variables; what else it needs is given. */
function queryOf(typeName: string, field: GraphQLField<unknown, unknown>, given: string, name: string) {
  const others = field.args.filter((other) => other.name !== name && isRequiredArgument(other));
  const args = others.map((other) => `${other.name}: ${literal(valueOf(other.type, [], null))}`);
  const selected = isScalarType(getNamedType(field.type)) ? '' : ' { __typename }';
  const way = ways[typeName];
  if (!way) throw new Error(`no way to ${typeName}`);
  const source = way(`${field.name}(${[...args, `${name}: ${given}`].join(', ')})${selected}`);
  return (variables = '') =>
    `${typeName === 'Mutation' ? 'mutation' : 'query'} ${variables === '' ? '' : `(${variables})`} ${source}`;
}

const everyCase = Object.values(schema.getTypeMap()).flatMap((type) =>
  isObjectType(type) && !type.name.startsWith('__')
    ? Object.values(type.getFields()).flatMap((field) =>
        field.args.flatMap((argument) =>
          casesOf(argument.name, argument)
            // Refused by a limit of its own, see limits.test.ts.
            .filter(({ path }) => path.join('.') !== 'ids')
            .map((one) => ({ type: type.name, field, argument, ...one })),
        ),
      )
    : [],
);

test('whatever is one beyond its bounds is refused before anything is read, in a literal and in a variable', async () => {
  expect(everyCase.length).toBeGreaterThan(80);
  for (const { type, field, argument, path, beyond, limit } of everyCase) {
    const value = valueOf(argument.type, path.slice(1), beyond);
    const place = [field.name, ...path].join('.').replace('.0', '[0]');
    const expected = `BAD_USER_INPUT: ${place} ${limit}`;
    const inVariable = queryOf(type, field, '$it', argument.name);
    expect(await refusal(inVariable(`$it: ${String(argument.type)}`), { it: value })).toBe(expected);
    // A date that is none is refused as such where it stands in the document.
    if (!/^Date/.test(getNamedType(argument.type).name))
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
const tooLong = 'BAD_USER_INPUT: searchTweets.words[1] must be at most 100 characters, but got 101.';
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
    'BAD_USER_INPUT: tweet.tweetId must be at most 20 characters, but got 21.',
  );
  expect(await refusal(source, { a: '1'.repeat(501) })).toMatch(/user.username must be at most 500/);
});

test('a variable within an input object is looked at, and the whole object', async () => {
  const ofField =
    'mutation ($t: String!) { publishArticle(input: { title: $t, body: "b" }) { article { id } } }';
  const expected =
    'BAD_USER_INPUT: publishArticle.input.title must be at most 4000 characters, but got 4001.';
  expect(await refusal(ofField, { t: 'x'.repeat(4001) })).toBe(expected);
  const ofTag =
    'mutation ($t: String!) { publishArticle(input: { title: "t", body: "b", tags: ["a", $t] }) { article { id } } }';
  expect(await refusal(ofTag, { t: 'x'.repeat(1001) })).toMatch(
    /publishArticle.input.tags\[1\] must be at most 1000/,
  );
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`titel${n}`, 1]));
  const ofAll = 'mutation ($i: PublishArticleInput!) { publishArticle(input: $i) { article { id } } }';
  expect(await refusal(ofAll, { i: many })).toBe(
    'BAD_USER_INPUT: publishArticle.input must be at most 4 fields, but got 50000.',
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
  ).toBe('BAD_USER_INPUT: tweets.first must be at most 100 characters, but got 101.');
  expect(await refusal('query ($n: String!) { __type(name: $n) { name } }', { n: long })).toBe(
    'BAD_USER_INPUT: __type.name must be at most 100 characters, but got 101.',
  );
});

test('an article that is too long is refused without a look at its text, and a long one is counted', async () => {
  const source = 'mutation ($i: PublishArticleInput!) { publishArticle(input: $i) { article { id } } }';
  expect(await refusal(source, { i: { title: 't', body: 'x'.repeat(999_000) } })).toBe(
    'BAD_USER_INPUT: publishArticle.input.body must be at most 150000 characters, but got 999000.',
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
  const { body } = await server.post(`{ "query": "${query}", "variables": { "a": ${deep(100_000)} } }`);
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
  expect(message).toMatch(/^BAD_USER_INPUT: Date cannot represent an invalid date-string x+…$/);
  expect(message.length).toBeLessThan(1100);
});
