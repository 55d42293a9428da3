import { queryOf, subscriptionCases, valueOf } from '../inputs/cases';
import { articles } from '../../src/features/news/news.table';
import { leastIdAt } from '../../src/kit/base/snowflake';
import { writeOf } from '../../src/kit/cassandra/write';
import { putAll } from '../../src/kit/writes/row-writer';
import { buildArticleRows } from '../../src/write/news/news-rows';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import WebSocket from 'ws';
import { signToken } from '../../src/features/viewer/token';
import { authorization, JWT_SECRET, person, startHarness, tweet, type Harness } from '../support/harness';
import { metricOf } from '../support/metrics';
import { post } from '../support/mutations';
import { refusalsOf } from '../admission/ask';
import { countOpen, pause, subscribe, subscribeToEvents, untilNoneOpen, type Event } from './subscriber';
import { CHANGED, codesIn, idsIn, POSTED, TIMELINE, type PostedEvent } from './subscriptions';

const transports = [
  ['WebSocket', subscribe],
  ['text/event-stream', subscribeToEvents],
] as const;

let server: Harness;
let address: string;
beforeAll(async () => {
  server = await startHarness({
    SUBSCRIPTION_READ_SECONDS: '1',
    SUBSCRIPTION_SEND_SECONDS: '1',
    RATE_SUBSCRIPTIONS_AT_ONCE: '2',
    SUBSCRIPTIONS_AT_ONCE: '4',
  });
  address = await server.listen();
  await server.store([
    person('1', 'ada'),
    person('2', 'bo'),
    ...Array.from({ length: 200 }, (_, n) => tweet(String(1000 + n), '2', 0, { content: 'x'.repeat(9000) })),
  ]);
});

/** A token of a user that expires after some seconds. */
async function shortToken(userId: string, seconds: number): Promise<string> {
  const token = await signToken(JWT_SECRET, { subject: userId, audience: null }, seconds / 86_400);
  return `Bearer ${token}`;
}

test.each(transports)(
  'over %s, an expired token ends a subscription with UNAUTHENTICATED',
  async (_, begin) => {
    // A machine that is busy must begin the subscription before the token expires.
    const who = await shortToken('1', 6);
    const mine = await begin(address, { query: TIMELINE, who });
    expect(codesIn(await mine.next())).toEqual(['UNAUTHENTICATED']);
    expect(await mine.ended).toBe('complete');
    await untilNoneOpen(server);
    await expect(begin(address, { query: TIMELINE, who }).then(({ ended }) => ended)).resolves.not.toBe(
      'complete',
    );
  },
);

test.each(transports)(
  'over %s, a caller and a server have a limited number of subscriptions',
  async (_, begin) => {
    const asked = { query: POSTED, variables: { username: 'ada' } };
    const mine = [await begin(address, { ...asked, who: '1' }), await begin(address, { ...asked, who: '1' })];
    const refused = await begin(address, { ...asked, who: '1' });
    const refusal = await refused.next();
    expect(codesIn(refusal)).toEqual(['RATE_LIMITED']);
    expect(refusal.errors?.[0]?.message).toBe(
      'A caller may have 2 subscriptions at once, and this one would be one more. Try again in 1 s, or when one of them has ended.',
    );
    for (let n = 0; n < 2; n++) await begin(address, { ...asked, who: '2' });
    const full = await begin(address, asked);
    expect(codesIn(await full.next())).toEqual(['UNAVAILABLE']);
    await mine[0]?.close();
    await pause(300);
    const again = await begin<PostedEvent>(address, { ...asked, who: '1' });
    await post(server, '1', { content: 'still there' });
    expect(codesIn(await again.next())).toEqual([]);
  },
);

test('a caller has a limited number of WebSockets, also without a subscription', async () => {
  const narrow = await startHarness({ RATE_SUBSCRIPTIONS_AT_ONCE: '1' }, server);
  const url = `${(await narrow.listen()).replace('http', 'ws')}/graphql`;
  const sockets: WebSocket[] = [];
  /** Opens a socket. Resolves to the status of the answer. */
  const open = async (): Promise<number> => {
    const socket = new WebSocket(url, 'graphql-transport-ws');
    sockets.push(socket);
    socket.on('error', () => undefined);
    return new Promise((resolve) => {
      socket.once('open', () => {
        resolve(101);
      });
      socket.once('unexpected-response', (_request, { statusCode = 0 }) => {
        resolve(statusCode);
      });
    });
  };
  /** Says who the client of a socket is. Resolves to the answer: a message, or how it is closed. */
  const name = async (index: number, who?: string): Promise<string> => {
    const socket = sockets[index] ?? new WebSocket(null);
    const payload = who === undefined ? {} : { authorization: await authorization(who) };
    socket.send(JSON.stringify({ type: 'connection_init', payload }));
    return Promise.race([
      once(socket, 'message').then(([data]) => String(data)),
      once(socket, 'close').then(([code, reason]) => `${code} ${reason}`),
    ]);
  };
  const named = '{"type":"connection_ack"}';
  expect([await open(), await open(), await open()]).toEqual([101, 101, 429]);
  // They count for their user, not for the address any more.
  expect([await name(0, '1'), await name(1, '1')]).toEqual([named, named]);
  expect([await open(), await open(), await open()]).toEqual([101, 101, 429]);
  expect(await name(3, '1')).toMatch(/^1013 A caller may have 2 WebSockets at once/);
  expect(await name(4)).toBe(named);
  sockets[0]?.terminate();
  while ((await open()) !== 101) await pause(50);
  expect(await name(sockets.length - 1, '1')).toBe(named);
  expect(await refusalsOf(narrow, 'sockets')).toBeGreaterThan(2);
  for (const socket of sockets) socket.terminate();
  await narrow.close();
});

test('callers without a token share the places of their networks, and leave some to those with one', async () => {
  const shared = await startHarness(
    { TRUST_PROXY: 'loopback', RATE_SUBSCRIPTIONS_AT_ONCE: '1', SUBSCRIPTIONS_AT_ONCE: '24' },
    server,
  );
  const theirs = await shared.listen();
  const { id } = await post(server, '1', { content: 'watched from many networks' });
  const open: AbortController[] = [];
  /** Subscribes from an address. Resolves to the message of the first event, or `open`. */
  const from = async (address: string, who?: string) => {
    const client = new AbortController();
    open.push(client);
    const { body } = await fetch(`${theirs}/graphql`, {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        'x-forwarded-for': address,
        ...(who !== undefined && { authorization: await authorization(who) }),
      },
      body: JSON.stringify({ query: CHANGED, variables: { id } }),
      signal: client.signal,
    });
    const reader = body?.getReader();
    for (let said = ''; ;) {
      const part = await reader?.read();
      if (part?.value === undefined) return said;
      said += Buffer.from(part.value as Uint8Array).toString();
      const [, event] = /^data: (.+)\n/m.exec(said) ?? [];
      if (event === undefined) continue;
      const [error] = (JSON.parse(event) as Event).errors ?? [];
      return error === undefined ? 'open' : `${error.extensions.code} ${error.message}`;
    }
  };
  const full = (network: string, most: number) =>
    expect.stringContaining(
      `RATE_LIMITED The callers without a token of the network ${network} may have ${most} subscriptions at once`,
    ) as string;
  const networks = async (prefix: string, numbers: readonly string[]) => {
    const said = [];
    for (const number of numbers) said.push(await from(`2001:db8:1:${prefix}${number}::1`));
    return said;
  };
  const opened = ['open', 'open', 'open', 'open'];
  expect(await networks('a', ['01', '02', '03', '04', '05'])).toEqual([
    ...opened,
    full('2001:db8:1:a00::/56', 4),
  ]);
  expect(await from('2001:db8:1:a01::2')).toContain('RATE_LIMITED A caller may have 1');
  for (const prefix of ['b', 'c', 'd'])
    expect(await networks(prefix, ['01', '02', '03', '04'])).toEqual(opened);
  expect(await from('2001:db8:1:e01::1')).toEqual(full('2001:db8:1::/48', 16));
  expect(await from('2001:db8:1:e01::1', '1')).toBe('open');
  expect([await from('2001:db8:2::1'), await from('192.0.2.1')]).toEqual(['open', 'open']);
  // The last quarter is for those with a token.
  expect(await from('192.0.2.2')).toContain('UNAVAILABLE');
  expect(await from('192.0.2.2', '2')).toBe('open');
  open[0]?.abort();
  await pause(300);
  expect(await from('2001:db8:1:a05::1')).toBe('open');
  for (const client of open) client.abort();
  await shared.close();
});

test('a token that is not valid closes the connection', async () => {
  const mine = await subscribe(address, { query: TIMELINE, who: 'Bearer x.y.z' });
  expect(await mine.ended).toMatchObject({ code: 4401 });
});

test.each([5, true, {}, ['Bearer x.y.z'], 'x.y.z', ''])(
  'an authorization that is %j closes the connection, and is not taken for none',
  async (authorization) => {
    for (const payload of [{ authorization }, { headers: { Authorization: authorization } }]) {
      const socket = new WebSocket(`${address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
      const closed = once(socket, 'close');
      await once(socket, 'open');
      socket.send(JSON.stringify({ type: 'connection_init', payload }));
      expect([authorization, (await closed)[0]]).toEqual([authorization, 4401]);
    }
  },
);

test.each(transports)(
  'over %s, an event that is too large is the last one, and comes again when the subscription is resumed',
  async (_, begin) => {
    const narrow = await startHarness(
      { LIMIT_ANSWER_BYTES: '10000', SUBSCRIPTION_READ_SECONDS: '1' },
      server,
    );
    const url = await narrow.listen();
    const wide = Array.from({ length: 60 }, (__, n) => `c${n}: content`).join(' ');
    const query = `subscription { tweetPosted(username: "ada") { cursor node { tweetId ${wide} } } }`;
    const mine = await begin<PostedEvent>(url, { query });
    await post(server, '1', { content: 'short' });
    const { data } = await mine.next();
    const long = await post(server, '1', { content: 'x'.repeat(280) });
    const next = await post(server, '1', { content: 'next' });
    expect(codesIn(await mine.next())).toEqual(['QUERY_TOO_LARGE']);
    expect(await mine.ended).toBe('complete');
    expect(mine.events).toHaveLength(2);
    const after = data?.tweetPosted.cursor;
    const resumed = await begin<PostedEvent>(url, { query: POSTED, variables: { username: 'ada', after } });
    const come: string[] = [];
    while (!come.includes(next.tweetId)) come.push(...idsIn([await resumed.next()]));
    expect(come).toContain(long.tweetId);
    await narrow.close();
  },
);

test('a message that is too large closes the connection', async () => {
  const mine = await subscribe(address, { query: `# ${'x'.repeat(1_100_000)}\n${TIMELINE}` });
  expect(await mine.ended).toMatchObject({ code: 1009 });
});

test('a client that goes on after many refusals is cut off', async () => {
  await untilNoneOpen(server);
  const socket = new WebSocket(`${address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const closed = once(socket, 'close');
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(JSON.stringify({ type: 'connection_init' }));
  await new Promise((resolve) => socket.once('message', resolve));
  const codes: string[] = [];
  socket.on('message', (data: Buffer) => {
    const { type, payload } = JSON.parse(String(data)) as { type: string; payload?: Event };
    if (type === 'next' && payload) codes.push(...codesIn(payload));
  });
  const payload = { query: POSTED, variables: { username: 'ada' } };
  for (let id = 0; id < 20_000; id++)
    socket.send(JSON.stringify({ id: String(id), type: 'subscribe', payload }));
  expect((await closed).map(String)).toEqual(['4429', '100 subscriptions were refused in a short time']);
  expect(new Set(codes)).toEqual(new Set(['RATE_LIMITED']));
  expect(codes.length).toBeLessThan(10_000);
  await untilNoneOpen(server);
});

test('an argument beyond its bounds ends the subscription', async () => {
  expect(subscriptionCases.length).toBeGreaterThan(5);
  for (const { type, field, argument, path, beyond, limit } of subscriptionCases) {
    const query = queryOf(type, field, '$it', argument.name)(`$it: ${String(argument.type)}`);
    const it = valueOf(argument.type, path.slice(1), beyond);
    const { errors } = await (await subscribe(address, { query, variables: { it } })).next();
    const place = path.join('.').replace('.0', '[0]');
    const extensions = { code: 'BAD_USER_INPUT', argument: place };
    expect(errors).toMatchObject([{ message: `${field.name}.${place} ${limit}`, extensions }]);
  }
});

test('a value of the wrong type ends the subscription, and the error names it', async () => {
  const query = 'subscription ($w: [String!]!) { tweetPosted(words: $w) { cursor } }';
  const { errors } = await (await subscribe(address, { query, variables: { w: ['a', 5] } })).next();
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', argument: 'words[1]' } }]);
});

test('a document with too many tokens is refused', async () => {
  const many = await subscribe(address, { query: `subscription { ${'a '.repeat(11_000)} }` });
  expect(codesIn(await many.next())).toEqual(['QUERY_TOO_LARGE']);
});

test('a subscription under a condition is refused, over HTTP and WebSocket', async () => {
  const query = 'subscription ($b: Boolean!) { tweetPosted @skip(if: $b) { cursor } }';
  const message = 'The field of a subscription must not have @skip.';
  const refusal = [{ message, extensions: { code: 'BAD_USER_INPUT' } }];
  const { status, errors } = await server.query(query, { b: false });
  expect({ status, errors }).toEqual({ status: 400, errors: refusal });
  const overSocket = await (await subscribe(address, { query, variables: { b: false } })).next();
  expect(overSocket.errors).toMatchObject(refusal);
});

test.each([
  ['WebSocket', (query: string) => slowSocket(query)],
  ['text/event-stream', (query: string) => slowStream(query)],
])(
  'over %s, a client that does not read is cut off, and costs little memory until then',
  async (_, begin) => {
    await untilNoneOpen(server);
    const wide = Array.from({ length: 20 }, (_, n) => `c${n}: content`).join(' ');
    // A cursor before all tweets.
    const { data } = await server.query('{ user(username: "bo") { tweets(last: 1) { edges { cursor } } } }');
    const after =
      (data as { user: { tweets: { edges: { cursor: string }[] } } }).user.tweets.edges[0]?.cursor ?? '';
    const end = await begin(
      `subscription { tweetPosted(username: "bo", after: "${after}") { node { ${wide} } } }`,
    );
    await pause(700);
    expect(await countOpen(server)).toBe(1);
    await untilNoneOpen(server);
    expect(await metricOf(server, 'murmuration_subscription_events_total')).toBeLessThan(150);
    end();
  },
);

/** Subscribes over a WebSocket from which nothing is read after that. */
async function slowSocket(query: string): Promise<() => void> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(JSON.stringify({ type: 'connection_init' }));
  await new Promise((resolve) => socket.once('message', resolve));
  socket.pause();
  socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
  return () => {
    socket.terminate();
  };
}

/** Asks for a stream of events from which nothing is read. */
async function slowStream(query: string): Promise<() => void> {
  const { hostname, port } = new URL(address);
  const body = JSON.stringify({ query });
  const socket = createConnection(Number(port), hostname);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(
    `POST /graphql HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\naccept: text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  return () => {
    socket.destroy();
  };
}

/** So many articles of a user, each of 36 kB. */
async function storeArticles(authorId: string, count: number): Promise<void> {
  const author = { userId: authorId, name: 'The bo', description: null, at: 1 };
  for (let n = 0; n < count; n++) {
    const publishedAt = new Date(Date.UTC(2020, 2, 1, 0, n));
    const articleId = leastIdAt(publishedAt);
    const article = { articleId, authorId, title: `${n}`, body: 'b'.repeat(36_000), tags: [], publishedAt };
    const { query, params } = writeOf(articles, article);
    await server.database.write(query, params);
    await putAll(server.writeServices.bulk(), buildArticleRows(article, author));
  }
}

describe('costs', () => {
  test('an event that reads many bytes of few partitions is charged for the bytes', async () => {
    await storeArticles('2', 60);
    const { id } = await post(server, '2', { content: 'by somebody who writes a lot' });
    const query = `subscription ($id: ID!) { tweetChanged(id: $id) { author { articles(first: 60) { nodes { body } } } } }`;
    const codesWith = async (points: number) => {
      const one = await startHarness({ RATE_POINTS_PER_MINUTE: String(points) }, server);
      const mine = await subscribe(await one.listen(), { query, variables: { id } });
      const codes = codesIn(await mine.next());
      await mine.close();
      await one.close();
      return codes;
    };
    // They are 132 points, for some 20 partitions.
    expect(await codesWith(300)).toEqual([]);
    expect(await codesWith(100)).toEqual(['RATE_LIMITED']);
  });

  test('a subscription that may cost too much is refused', async () => {
    const poor = await startHarness({ LIMIT_READS: '100' }, server);
    const theirs = await poor.listen();
    const refused = await subscribe(theirs, { query: POSTED, variables: { username: 'ada' } });
    expect(codesIn(await refused.next())).toEqual(['QUERY_TOO_LARGE']);
    await poor.close();
  });

  test('what a subscription reads is taken from the points of its caller', async () => {
    const poor = await startHarness({ RATE_POINTS_PER_MINUTE: '20', SUBSCRIPTION_READ_SECONDS: '1' }, server);
    const theirs = await poor.listen();
    const { id } = await post(server, '1', { content: 'asked for too often' });
    const mine = await subscribe(theirs, { query: CHANGED, variables: { id } });
    await mine.next();
    const last = await mine.next();
    expect(codesIn(last)).toEqual(['RATE_LIMITED']);
    expect(last.errors?.[0]?.extensions.retryAfter).toBeGreaterThan(0);
    await poor.close();
  });
});
