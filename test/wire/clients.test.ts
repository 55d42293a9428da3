import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { cacheExchange, Client, fetchExchange } from '@urql/core';
import { GraphQLClient } from 'graphql-request';
import {
  Environment,
  fetchQuery,
  Network,
  RecordSource,
  Store,
  type FetchFunction,
  type GraphQLTaggedNode,
} from 'relay-runtime';
import { authorization, person, startHarness, type Harness } from '../support/harness';
import { subscribeToEvents } from '../live/subscriber';
import { POSTED, type PostedEvent } from '../live/subscriptions';
import { mutations, post } from '../support/mutations';

const QUERY = 'query Name { user(username: "ada") { id name } }';
const POST =
  'mutation Post($content: String!) { createTweet(input: {content: $content}) { tweet { content } } }';
const POSTED_BY_ADA = 'subscription Posted { tweetPosted(username: "ada") { node { content } } }';

let server: Harness;
let address: string;
let headers: { authorization: string };
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada')]);
  address = await server.listen();
  headers = { authorization: await authorization('1') };
});

/** Calls a function again until it returns true: a subscription gets what is posted after the server has received it. */
async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('by its own client', () => {
  test('urql queries, posts and subscribes', async () => {
    const client = new Client({
      url: `${address}/graphql`,
      preferGetMethod: false,
      fetchSubscriptions: true,
      fetchOptions: { headers },
      exchanges: [cacheExchange, fetchExchange],
    });
    const asked = await client.query(QUERY, {}).toPromise();
    expect([asked.error, asked.data]).toMatchObject([undefined, { user: { name: 'The ada' } }]);
    const posted = await client.mutation(POST, { content: 'by urql' }).toPromise();
    expect([posted.error, posted.data]).toMatchObject([
      undefined,
      { createTweet: { tweet: { content: 'by urql' } } },
    ]);
    const got: unknown[] = [];
    const subscription = client.subscription(POSTED_BY_ADA, {}).subscribe((result) => {
      got.push(result.error ?? result.data);
    });
    await until(async () => {
      await post(server, '1', { content: 'for urql' });
      return got.length > 0;
    });
    expect(got[0]).toMatchObject({ tweetPosted: { node: { content: 'for urql' } } });
    subscription.unsubscribe();
  });

  test('urql queries by GET', async () => {
    const client = new Client({
      url: `${address}/graphql`,
      exchanges: [fetchExchange],
      preferGetMethod: 'force',
    });
    const asked = await client.query(QUERY, {}).toPromise();
    expect([asked.error, asked.data]).toMatchObject([undefined, { user: { name: 'The ada' } }]);
  });

  test('Apollo Client queries and posts', async () => {
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: new HttpLink({ uri: `${address}/graphql`, headers }),
    });
    expect((await client.query({ query: gql(QUERY) })).data).toMatchObject({ user: { name: 'The ada' } });
    const { data } = await client.mutate({ mutation: gql(POST), variables: { content: 'by Apollo Client' } });
    expect(data).toMatchObject({ createTweet: { tweet: { content: 'by Apollo Client' } } });
    await expect(client.query({ query: gql('{ nope }') })).rejects.toThrow('Cannot query field "nope"');
  });

  test('Relay queries by the network layer of its guide', async () => {
    const ask: FetchFunction = async ({ text }, variables) => {
      const answer = await fetch(`${address}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: text, variables }),
      });
      return (await answer.json()) as never;
    };
    const environment = new Environment({
      network: Network.create(ask),
      store: new Store(new RecordSource()),
    });
    const answered = await fetchQuery<{ response: unknown; variables: object }>(
      environment,
      relayQuery,
      {},
    ).toPromise();
    expect(answered).toMatchObject({ user: { name: 'The ada' } });
  });

  test('graphql-request queries and posts', async () => {
    const client = new GraphQLClient(`${address}/graphql`, { headers });
    await expect(client.request(QUERY)).resolves.toMatchObject({ user: { name: 'The ada' } });
    await expect(client.request(POST, { content: 'by graphql-request' })).resolves.toMatchObject({
      createTweet: { tweet: { content: 'by graphql-request' } },
    });
    await expect(client.request('{ nope }')).rejects.toThrow('Cannot query field "nope"');
  });

  test('graphql-sse subscribes', async () => {
    const subscribed = await subscribeToEvents<PostedEvent>(address, {
      query: POSTED,
      variables: { username: 'ada' },
    });
    const { tweetId } = await post(server, '1', { content: 'for graphql-sse' });
    expect((await subscribed.next()).data?.tweetPosted.node.tweetId).toBe(tweetId);
  });
});

/** What Relay's compiler makes of `QUERY`. */
const selections = [
  {
    kind: 'LinkedField',
    alias: null,
    name: 'user',
    args: [{ kind: 'Literal', name: 'username', value: 'ada' }],
    concreteType: 'User',
    plural: false,
    storageKey: 'user(username:"ada")',
    selections: ['id', 'name'].map((name) => ({
      kind: 'ScalarField',
      alias: null,
      name,
      args: null,
      storageKey: null,
    })),
  },
];
const operation = { name: 'Name', argumentDefinitions: [], selections };
const relayQuery = {
  kind: 'Request',
  fragment: { kind: 'Fragment', type: 'Query', metadata: null, abstractKey: null, ...operation },
  operation: { kind: 'Operation', ...operation },
  params: { id: null, cacheID: 'name', metadata: {}, name: 'Name', operationKind: 'query', text: QUERY },
} as unknown as GraphQLTaggedNode;

const JSON_TYPE = 'application/json; charset=utf-8';
const RESPONSE = 'application/graphql-response+json; charset=utf-8';
const PARTS_TYPE = 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0"';
const EVENTS = 'text/event-stream; charset=utf-8';

async function ask(
  accept: string | undefined,
  body: object,
): Promise<{ status: number; type: string | null; text: string }> {
  const controller = new AbortController();
  const { signal } = controller;
  const answer = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', ...(accept !== undefined && { accept }) },
    body: JSON.stringify(body),
    signal,
  });
  const type = answer.headers.get('content-type');
  const isOpen = [EVENTS, PARTS_TYPE].includes(String(type)) && JSON.stringify(body).includes('subscription');
  const text = isOpen ? '' : await answer.text();
  controller.abort();
  return { status: answer.status, type, text };
}

/** By the headers that a client sends with a query or a mutation: the media types of an answer to those, and to a subscription. */
test.each([
  ['curl, and fetch of browsers', '*/*', JSON_TYPE, JSON_TYPE],
  ['nothing', undefined, JSON_TYPE, JSON_TYPE],
  [
    'urql before 6, and 6',
    'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
    RESPONSE,
    EVENTS,
  ],
  [
    'urql in issues',
    'application/graphql-response+json, application/json, text/event-stream, multipart/mixed',
    RESPONSE,
    EVENTS,
  ],
  ['subscriptions of urql', 'text/event-stream, multipart/mixed', EVENTS, EVENTS],
  ['Apollo Client 4', 'application/graphql-response+json,application/json;q=0.9', RESPONSE, RESPONSE],
  [
    'subscriptions of Apollo Client 4',
    'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/graphql-response+json,application/json;q=0.9',
    RESPONSE,
    PARTS_TYPE,
  ],
  [
    '@defer of Apollo Client 4',
    'multipart/mixed;deferSpec=20220824,application/graphql-response+json,application/json;q=0.9',
    RESPONSE,
    RESPONSE,
  ],
  ['Apollo Client 3', '*/*', JSON_TYPE, JSON_TYPE],
  [
    'subscriptions of Apollo Client 3',
    'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json',
    JSON_TYPE,
    PARTS_TYPE,
  ],
  ['Apollo Kotlin 3', 'multipart/mixed; deferSpec=20220824, application/json', JSON_TYPE, JSON_TYPE],
  [
    'Apollo Kotlin 4',
    'multipart/mixed;deferSpec=20220824, application/graphql-response+json, application/json',
    RESPONSE,
    RESPONSE,
  ],
  ['Apollo Kotlin 5', 'application/graphql-response+json, application/json', RESPONSE, RESPONSE],
  [
    'subscriptions of Apollo Kotlin',
    'multipart/mixed;subscriptionSpec=1.0, application/graphql-response+json, application/json',
    RESPONSE,
    PARTS_TYPE,
  ],
  ['Apollo iOS 1', 'multipart/mixed;deferSpec=20220824,application/json', JSON_TYPE, JSON_TYPE],
  [
    'Apollo iOS 2',
    'multipart/mixed;deferSpec=20220824,application/graphql-response+json,application/json',
    RESPONSE,
    RESPONSE,
  ],
  [
    'subscriptions of Apollo iOS',
    'multipart/mixed;boundary="graphql";subscriptionSpec=1.0,application/json',
    JSON_TYPE,
    PARTS_TYPE,
  ],
  [
    'graphql-request',
    'application/graphql-response+json; charset=utf-8, application/json; charset=utf-8',
    RESPONSE,
    RESPONSE,
  ],
  ['axios', 'application/json, text/plain, */*', JSON_TYPE, JSON_TYPE],
  ['graphql-sse and EventSource', 'text/event-stream', EVENTS, EVENTS],
  ['a stream if need be', 'application/json, text/event-stream;q=0.1', JSON_TYPE, EVENTS],
  ['a stream at best', 'text/event-stream, application/json;q=0.1', JSON_TYPE, EVENTS],
  ['no stream', 'text/event-stream;q=0, application/json', JSON_TYPE, JSON_TYPE],
  ['no older JSON', 'application/json;q=0, */*', RESPONSE, RESPONSE],
])('what is sent to %s', async (_, accept, type, subscribed) => {
  // The second answer comes by the short path.
  for (const query of [QUERY, QUERY])
    expect(await ask(accept, { query })).toMatchObject({ status: 200, type });
  const query = 'mutation { unlikeTweet(id: "VHdlZXQ6MQ") { tweet { id } } }';
  expect(await ask(accept, { query })).toMatchObject({ status: type === RESPONSE ? 294 : 200, type });
  expect(await ask(accept, { query: POSTED_BY_ADA })).toMatchObject({ type: subscribed });
  const both = { query: `${QUERY} ${POSTED_BY_ADA}` };
  expect(await ask(accept, { ...both, operationName: 'Name' })).toMatchObject({ type });
  expect(await ask(accept, { ...both, operationName: 'Posted' })).toMatchObject({ type: subscribed });
});

test('a subscription that is answered as JSON says how to subscribe', async () => {
  const { text } = await ask('*/*', { query: POSTED_BY_ADA });
  expect(text).toContain('over WebSocket (graphql-ws), as text/event-stream or as multipart/mixed');
});

test.each([
  ['text/html'],
  ['multipart/mixed'],
  ['application/json;q=0'],
  ['text/event-stream;q=0'],
  ['application/json;version=2'],
])('a mutation whose answer the client cannot read is not begun: %s', async (accept) => {
  const content = `not to be posted ${accept}`;
  const answer = await ask(accept, { query: mutations.createTweet, variables: { input: { content } } });
  expect(answer).toMatchObject({ status: 406, type: JSON_TYPE });
  expect(answer.text).toContain('The Accept header must allow application/json');
  const { data } = await server.query(
    '{ user(username: "ada") { tweets(first: 100) { nodes { content } } } }',
  );
  expect(JSON.stringify(data)).not.toContain('not to be posted');
});

test.each([
  ['application/graphql-response+json', '{ nope }', 422, RESPONSE],
  ['application/graphql-response+json', '{', 400, RESPONSE],
  ['application/graphql-response+json;q=0.9, application/json;q=0.1', '{ nope }', 422, RESPONSE],
  ['application/json', '{ nope }', 200, JSON_TYPE],
  ['application/json, application/graphql-response+json;q=0', '{ nope }', 200, JSON_TYPE],
  ['*/*', '{ nope }', 400, JSON_TYPE],
])('a query that is refused is answered by what %s reads: %s', async (accept, query, status, type) => {
  expect(await ask(accept, { query })).toMatchObject({ status, type });
});

test('what is refused before GraphQL sees it has the media type that the client reads', async () => {
  const accept = 'application/graphql-response+json';
  const answer = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { accept, 'content-type': 'application/json', authorization: 'Bearer x.y.z' },
    body: JSON.stringify({ query: QUERY }),
  });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([401, RESPONSE]);
});

const BROWSERS = [
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/html, application/xhtml+xml, image/jxr, */*',
  'text/html',
];

test.each(BROWSERS)('a browser that opens /graphql is sent to GraphiQL: %s', async (accept) => {
  const { statusCode, headers: sent } = await server.inject({ url: '/graphql', headers: { accept } });
  expect([statusCode, sent.location, sent.vary]).toEqual([302, '/graphiql', 'accept']);
  const asked = await server.inject({
    url: `/graphql?query=${encodeURIComponent(QUERY)}`,
    headers: { accept },
  });
  expect(asked.statusCode).toBe(accept === 'text/html' ? 406 : 200);
});

test('a browser that opens /graphql is told in plain words if there is no GraphiQL', async () => {
  const without = await startHarness({ GRAPHIQL: 'false' }, server);
  for (const accept of BROWSERS) {
    const {
      statusCode,
      headers: sent,
      body,
    } = await without.inject({ url: '/graphql', headers: { accept } });
    expect([statusCode, sent['content-type']]).toEqual([406, 'text/plain; charset=utf-8']);
    expect(body).toMatch(/send a query by POST as JSON/);
  }
  await without.close();
});

test('who reads JSON and asks nothing by GET learns that in JSON', async () => {
  for (const accept of ['*/*', 'application/json']) {
    const { statusCode, body } = await server.inject({ url: '/graphql', headers: { accept } });
    expect([statusCode, body]).toMatchObject([400, expect.stringContaining('"errors"')]);
  }
});

test.each([
  ['gzip', 'gzip'],
  ['gzip;q=0', undefined],
  ['gzip;q=0, br;q=0.5', 'br'],
  ['br;q=0.1, gzip;q=0.9', 'gzip'],
  ['identity', undefined],
  ['*;q=0, identity', undefined],
])('an answer is compressed as the client likes best: %s', async (encoding, sent) => {
  const answer = await server.inject({
    method: 'POST',
    url: '/graphql',
    headers: { 'accept-encoding': encoding, 'content-type': 'application/json' },
    payload: { query: '{ __schema { types { name description fields { name description } } } }' },
  });
  expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, sent]);
});
