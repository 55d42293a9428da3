import { ApolloClient, gql, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { cacheExchange, Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { createClient, type Client as SocketClient } from 'graphql-ws';
import { parse } from 'graphql';
import { Environment, Network, Observable, RecordSource, requestSubscription, Store } from 'relay-runtime';
import WebSocket from 'ws';
import { authorization, follow, person, startHarness, type Harness } from '../harness';
import { post } from '../mutations';
import { pause, countReceived } from './subscriber';

interface Timeline {
  readonly timelineTweet: { readonly cursor: string; readonly node: { readonly tweetId: string } };
}

const TIMELINE = `subscription Timeline($after: String) {
  timelineTweet(after: $after) { cursor node { id tweetId content } }
}`;

/** Listens to the timeline from a cursor on, until the subscription ends. Returns the function that leaves it. */
type Listen = (
  sockets: SocketClient,
  after: string | undefined,
  next: (data: Timeline) => void,
  ended: () => void,
) => () => void;

const listenByApollo: Listen = (sockets, after, next, ended) => {
  const client = new ApolloClient({ cache: new InMemoryCache(), link: new GraphQLWsLink(sockets) });
  const subscription = client
    .subscribe<Timeline>({ query: gql(TIMELINE), variables: { after }, errorPolicy: 'all' })
    .subscribe({
      next({ data }) {
        if (data) next(data);
      },
      complete: ended,
    });
  return () => {
    subscription.unsubscribe();
  };
};

const listenByUrql: Listen = (sockets, after, next, ended) => {
  const client = new Client({
    url: 'http://localhost/graphql',
    preferGetMethod: false,
    exchanges: [
      cacheExchange,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: sockets.subscribe(
              { query, variables: variables as Record<string, unknown> },
              sink as never,
            ),
          }),
        }),
      }),
    ],
  });
  const subscription = client.subscription<Timeline>(TIMELINE, { after }).subscribe(({ data, error }) => {
    // With an error, data are still those of the event before.
    if (error) ended();
    else if (data) next(data);
  });
  return () => {
    subscription.unsubscribe();
  };
};

const listenByRelay: Listen = (sockets, after, next, ended) => {
  const network = Network.create(
    () => {
      throw new Error('no queries here');
    },
    ({ text }, variables) =>
      Observable.create((sink) => sockets.subscribe({ query: text ?? '', variables }, sink as never)),
  );
  const environment = new Environment({ network, store: new Store(new RecordSource()) });
  const { dispose } = requestSubscription<{ response: Timeline; variables: object }>(environment, {
    subscription: compiled,
    variables: { after },
    onNext(data) {
      if (data) next(data);
    },
    onError: ended,
    onCompleted: ended,
  });
  return dispose;
};

const scalar = (name: string) => ({ kind: 'ScalarField', name, alias: null, args: null, storageKey: null });
const edgeOf = (node: readonly object[]) => [
  {
    kind: 'LinkedField',
    alias: null,
    name: 'timelineTweet',
    args: [{ kind: 'Variable', name: 'after', variableName: 'after' }],
    concreteType: 'TweetEdge',
    plural: false,
    storageKey: null,
    selections: [
      scalar('cursor'),
      { ...scalar('node'), kind: 'LinkedField', concreteType: 'Tweet', plural: false, selections: node },
    ],
  },
];
const after = { kind: 'LocalArgument', name: 'after', defaultValue: null };
const selections = edgeOf([scalar('id'), scalar('tweetId'), scalar('content')]);

/** What the compiler of Relay makes of the document. */
const compiled = {
  kind: 'Request',
  fragment: {
    kind: 'Fragment',
    name: 'Timeline',
    type: 'Subscription',
    metadata: null,
    abstractKey: null,
    argumentDefinitions: [after],
    selections,
  },
  operation: { kind: 'Operation', name: 'Timeline', argumentDefinitions: [after], selections },
  params: {
    id: null,
    cacheID: 'timeline',
    metadata: {},
    name: 'Timeline',
    operationKind: 'subscription',
    text: TIMELINE,
  },
} as never;

let server: Harness;
beforeAll(async () => {
  parse(TIMELINE);
  server = await startHarness({ SUBSCRIPTION_READ_SECONDS: '1' });
});

test.each([
  ['Apollo Client', listenByApollo, '1', '2'],
  ['urql', listenByUrql, '3', '4'],
  ['Relay', listenByRelay, '5', '6'],
] as const)(
  '%s takes events, and goes on after the cursor when its server stops',
  async (_, listen, reader, author) => {
    // People of their own: after a cursor, also tweets of the last 15 seconds come again, so those of the tests before would.
    await server.store([
      person(reader, `reader${reader}`),
      person(author, `author${author}`),
      follow(reader, author),
    ]);
    const wanted: string[] = [];
    const got = new Set<string>();
    let cursor: string | undefined;
    const servers = [await startHarness({ SUBSCRIPTION_READ_SECONDS: '1' }, server), server];
    const addresses = [await servers[0]?.listen(), (listening ??= await server.listen())];
    const token = await authorization(reader);
    for (const [index, address] of addresses.entries()) {
      const sockets = createClient({
        url: `${String(address).replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        connectionParams: { authorization: token },
      });
      let end: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => (end = resolve));
      const before = await countReceived(String(address));
      const leave = listen(
        sockets,
        cursor,
        ({ timelineTweet }) => {
          got.add(timelineTweet.node.tweetId);
          cursor = timelineTweet.cursor;
        },
        end,
      );
      while ((await countReceived(String(address))) === before) await pause(20);
      wanted.push((await post(server, author, { content: `live ${index}` })).tweetId);
      for (let n = 0; n < 100 && got.size < wanted.length; n++) await pause(100);
      expect([...got]).toEqual(wanted);
      if (index === 0) {
        await servers[0]?.close();
        await ended;
        wanted.push((await post(server, author, { content: 'meanwhile' })).tweetId);
      }
      leave();
      await sockets.dispose();
    }
  },
);

let listening: string | undefined;
