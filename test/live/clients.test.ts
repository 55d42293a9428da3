import {
  ApolloClient,
  CombinedProtocolErrors,
  gql,
  HttpLink,
  InMemoryCache,
  type ApolloLink,
} from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { cacheExchange, Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { createClient, type Client as SocketClient } from 'graphql-ws';
import { parse } from 'graphql';
import { Environment, Network, Observable, RecordSource, requestSubscription, Store } from 'relay-runtime';
import WebSocket from 'ws';
import { authorization, follow, person, startHarness, type Harness } from '../support/harness';
import { post } from '../support/mutations';
import { pause, countReceived } from './subscriber';

interface Timeline {
  readonly timelineTweet: { readonly cursor: string; readonly node: { readonly tweetId: string } };
}

const TIMELINE = `subscription Timeline($after: String) {
  timelineTweet(after: $after) { cursor node { id tweetId content } }
}`;

/** A connection to a server: WebSockets, and what requests need. */
interface Connection {
  readonly sockets: SocketClient;
  readonly uri: string;
  readonly token: string;
}

/** Listens to the timeline from a cursor on, until the subscription ends. Returns the function that leaves it. */
type Listen = (
  connection: Connection,
  after: string | undefined,
  next: (data: Timeline) => void,
  ended: () => void,
) => () => void;

const listenByApollo = (link: ApolloLink, ...[, after, next, ended]: Parameters<Listen>) => {
  const client = new ApolloClient({ cache: new InMemoryCache(), link });
  const subscription = client
    .subscribe<Timeline>({ query: gql(TIMELINE), variables: { after }, errorPolicy: 'all' })
    .subscribe({
      next({ data, error }) {
        if (data) next(data);
        if (error) errors.push(error);
      },
      complete: ended,
    });
  return () => {
    subscription.unsubscribe();
  };
};

/** What Apollo Client was told. */
const errors: unknown[] = [];

const listenByUrql: Listen = ({ sockets }, after, next, ended) => {
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

const listenByRelay: Listen = ({ sockets }, after, next, ended) => {
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

const listenBySockets: Listen = (connection, ...others) =>
  listenByApollo(new GraphQLWsLink(connection.sockets), connection, ...others);
const listenByParts: Listen = (connection, ...others) => {
  const { uri, token } = connection;
  return listenByApollo(new HttpLink({ uri, headers: { authorization: token } }), connection, ...others);
};

test.each([
  ['Apollo Client', listenBySockets, '1', '2'],
  ['Apollo Client over HTTP', listenByParts, '7', '8'],
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
    errors.length = 0;
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
        { sockets, uri: `${String(address)}/graphql`, token },
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
        // Over HTTP, a server that stops is an error of the transport.
        expect(errors.map((error) => CombinedProtocolErrors.is(error))).toEqual(
          listen === listenByParts ? [true] : expect.any(Array),
        );
        wanted.push((await post(server, author, { content: 'meanwhile' })).tweetId);
      }
      leave();
      await sockets.dispose();
    }
  },
);

let listening: string | undefined;
