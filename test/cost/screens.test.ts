import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'graphql';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { isPublic } from '../../src/kit/graphql/public-documents';
import { createSchema } from '../../src/app';
import type { Harness } from '../support/harness';
import { startNetwork } from './network';

const folder = join(__dirname, 'screens');
const screens = readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const);
const variables = {
  viewer: encodeNodeId('User', '1'),
  tweet: encodeNodeId('Tweet', '100'),
  article: encodeNodeId('Article', '1'),
  day: '2026-01-01',
  from: '2026-01-01T00:00:00Z',
  to: '2026-02-01T00:00:00Z',
  words: ['tweet', 'ada'],
  area: { south: 0, west: 0, north: 2, east: 3 },
};

let server: Harness;
beforeAll(async () => {
  server = await startNetwork();
});

test('there are ten screens', () => {
  expect(screens.length).toBeGreaterThanOrEqual(10);
});

test.each(screens)('the screen %s is answered, and its bound leaves room to spare', async (_file, query) => {
  const given = Object.entries(variables).filter(([name]) => query.includes(`$${name}:`));
  const { body } = await server.post(JSON.stringify({ query, variables: Object.fromEntries(given) }), '1');
  const { errors, extensions } = JSON.parse(body) as {
    errors?: unknown;
    extensions: {
      cost: { bound: number; boundOfRows: number; limit: number; limitOfRows: number; reads: number };
    };
  };
  expect(errors).toBeUndefined();
  const { bound, boundOfRows, limit, limitOfRows, reads } = extensions.cost;
  expect(reads).toBeLessThanOrEqual(bound);
  expect(bound).toBeLessThan(0.75 * limit);
  expect(boundOfRows).toBeLessThan(0.75 * limitOfRows);
});

const schema = createSchema();
test.each(screens.filter(([, query]) => isPublic(schema, parse(query))))(
  'the screen %s needs no caller, and answers all alike from whom nothing is hidden',
  async (_file, query) => {
    const given = Object.fromEntries(
      Object.entries(variables).filter(([name]) => query.includes(`$${name}:`)),
    );
    const [one, ...others] = await Promise.all(
      [null, '2', '3', 'service'].map(async (who) => (await server.query(query, given, who)).data),
    );
    expect(others).toEqual([one, one, one]);
  },
);

test.each([
  [
    'LIMIT_READS',
    '{ user(username: "bo") { followers(first: 100) { nodes { followers(first: 100) { nodes { id tweets(first: 1) { nodes { id } } } } } } } }',
    /^A query may read at most 10000 partitions, but this one could read [0-9]+, of which user\.followers\.nodes\.followers\.nodes\.tweets could read [0-9]+: ask for smaller pages or fewer fields\.$/,
  ],
  [
    'LIMIT_ROWS',
    `{ ${Array.from({ length: 40 }, (_, n) => `a${n}: tweetFrequency(from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z") { count }`).join(' ')} }`,
    /^A query may (read at most 500000 rows|return at most 50000 nodes)/,
  ],
])(
  'what could read more than %s is refused before anything is read, and explained all the same',
  async (_limit, query, message) => {
    const { errors, reads } = await server.query(query);
    expect(errors).toMatchObject([
      { message: expect.stringMatching(message) as string, extensions: { code: 'QUERY_TOO_LARGE' } },
    ]);
    expect(reads).toEqual([]);
    const headers = { 'content-type': 'application/json', 'x-explain': 'only' };
    const { body } = await server.inject({
      method: 'POST',
      url: '/graphql',
      headers,
      payload: JSON.stringify({ query }),
    });
    const { extensions } = JSON.parse(body) as { extensions: { cost: { bound: number; fields: unknown[] } } };
    expect(extensions.cost.bound).toBeGreaterThan(0);
    expect(extensions.cost.fields.length).toBeGreaterThan(1);
  },
);
