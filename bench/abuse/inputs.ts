import { getNullableType, isInputObjectType, isListType, isScalarType, type GraphQLInputType } from 'graphql';
import { createSchema } from '../../src/app';
import { graphql, send } from './send';
import { aliases, attack, worstOf, type Attack } from './target';

const LONG = 900_000;
const SEARCH = 'query ($w: [String!]!) { searchTweets(words: $w, first: 1) { nodes { id } } }';
const PUBLISH = 'mutation ($i: PublishArticleInput!) { publishArticle(input: $i) { article { id } } }';
const POST = 'mutation ($i: CreateTweetInput!) { createTweet(input: $i) { tweet { id } } }';

const search = (what: string, word: string): Attack =>
  attack(`search for ${what}`, () => ({ body: graphql(SEARCH, { w: [word] }) }));

const article = (what: string, body: string): Attack =>
  attack(`publishArticle, ${what}`, ({ person }) => ({
    headers: person,
    body: graphql(PUBLISH, { i: { title: 'A title', body, tags: [] } }),
  }));

/** Values that are longer, more numerous or more deeply nested than anybody needs. */
export const inputAttacks: readonly Attack[] = [
  search('one word "a a a …" of 100 kB', 'a '.repeat(50_000)),
  search('one word "a a a …" of 400 kB', 'a '.repeat(200_000)),
  search('one word "a a a …" of 1 MB', 'a '.repeat(500_000)),
  search('one word of 300,000 combining marks', 'e\u0301\u0301'.repeat(150_000)),
  attack('search for 90 kB in 100 aliases', () => ({
    body: aliases(
      100,
      'searchTweets(words: $w, first: 1) { nodes { id } }',
      { w: ['a '.repeat(45_000)] },
      '($w: [String!]!)',
    ),
  })),
  attack('search for 100,000 words', () => ({
    body: graphql(SEARCH, { w: Array.from({ length: 100_000 }, (_, n) => `a${n}`) }),
  })),
  article('49,000 characters', 'word '.repeat(9_800)),
  article('99,000 characters', 'word '.repeat(19_800)),
  article('50,000 CJK characters', '天気'.repeat(25_000)),
  article('50,000 graphemes of ten marks each', `e${'\u0301'.repeat(10)}`.repeat(50_000)),
  attack('createTweet with 280 graphemes, all hashtags', ({ person }) => ({
    headers: person,
    body: graphql(POST, {
      i: { content: Array.from({ length: 90 }, (_, n) => `#${(n + 36).toString(36)}`).join(' ') },
    }),
  })),
  { what: `${LONG / 1000} kB in each argument that takes a text, one after another`, run: everyArgument },
  attack('variables nested 200,000 deep', () => ({
    body: `{"query":"query ($w: [String!]!) { searchTweets(words: $w) { nodes { id } } }","variables":{"w":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`,
  })),
  attack('a body of 5 MB', () => ({ body: graphql('{ __typename }', { a: 'a'.repeat(5_000_000) }) })),
  attack('a batch of 5,000 queries', () => ({
    body: JSON.stringify(Array.from({ length: 5000 }, () => ({ query: '{ __typename }' }))),
  })),
  attack('nodes of 20,000 ids', ({ tweetIds }) => ({
    body: graphql('query ($i: [ID!]!) { nodes(ids: $i) { id } }', {
      i: Array.from({ length: 20_000 }, (_, n) => tweetIds[n % tweetIds.length]),
    }),
  })),
  attack('a forged cursor of 900 kB', ({ personId }) => ({
    body: graphql(
      'query ($i: ID!, $a: String) { node(id: $i) { ... on User { tweets(after: $a) { nodes { id } } } } }',
      { i: personId, a: 'A'.repeat(LONG) },
    ),
  })),
  attack('a token of 15 kB', () => ({
    headers: { authorization: `Bearer ${'a'.repeat(7000)}.${'b'.repeat(7000)}.${'c'.repeat(1000)}` },
    body: graphql('{ viewer { id } }'),
  })),
];

/** Sends a value that is too long in every argument that takes text, and in every such field of input objects. */
async function everyArgument({ port, person }: Parameters<Attack['run']>[0]) {
  const outcomes = [];
  const schema = createSchema();
  const roots = [schema.getQueryType(), schema.getMutationType()];
  for (const root of roots)
    for (const field of Object.values(root?.getFields() ?? {}))
      for (const argument of field.args) {
        const value = longValue(argument.type);
        if (value === undefined) continue;
        const query = `${root === roots[1] ? 'mutation' : 'query'} ($v: ${String(argument.type)}) { ${field.name}(${argument.name}: $v) { __typename } }`;
        outcomes.push(await send({ port, headers: person, body: graphql(query, { v: value }) }));
      }
  return worstOf(outcomes);
}

function longValue(type: GraphQLInputType): unknown {
  const own = getNullableType(type);
  if (isListType(own)) return [longValue(own.ofType)];
  if (isInputObjectType(own))
    return Object.fromEntries(
      Object.values(own.getFields()).map(({ name, type: of }) => [name, longValue(of)]),
    );
  return isScalarType(own) ? 'a '.repeat(LONG / 2) : undefined;
}
