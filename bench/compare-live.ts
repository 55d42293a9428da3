import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { createStore } from '../src/import/store/store';
import { readConfig } from '../src/config';
import type { ImportRecord } from '../src/import/records/record';
import { answering, startChild, type Child } from './child';
import { percentile, round, say, type Line, type Section } from './measure';
import { headersOfUsers, serving, shipped, withDatabase, type Headers, type Stage } from './stage';

/** Subscriptions that are open, and of these how many users follow the author. */
const SUBSCRIPTIONS = 10_000;
const FOLLOWERS = 1000;
const ROUNDS = 20;
/** Tweets before those that are measured. The first one shows what a server that has just started takes. */
const WARM_UPS = 5;
const PORT = 4813;
const AUTHOR = '1';
/** How many connections are opened at once. */
const AT_ONCE = 100;
/** Milliseconds for which idle subscriptions are watched. */
const IDLE_MS = 30_000;

const SUBSCRIPTION =
  'subscription { timelineTweet { cursor node { id tweetId content createdAt likeCount author { username name } } } }';

/** When each round's tweet came to each follower, by the tweet's text. */
type Arrivals = Map<string, number[]>;

/** Measures the memory of idle subscriptions, and how long one tweet takes to all followers that are subscribed. */
export async function compareLive({ contactPoint, brief }: Stage): Promise<Section> {
  const keyspace = 'live';
  const subscriptions = brief ? 300 : SUBSCRIPTIONS;
  const followers = brief ? 100 : FOLLOWERS;
  const readers = Array.from({ length: subscriptions }, (_, n) => String(n + 2));
  const headers = await withDatabase(contactPoint, keyspace, async (database) => {
    say(`Storing ${subscriptions} users, of whom ${followers} follow one`);
    const store = createStore(database, readConfig(shipped(contactPoint, keyspace)));
    for (const records of recordsOf(readers, followers)) await store.add(records);
    await store.settle();
    return headersOfUsers(database, [AUTHOR, ...readers]);
  });
  const env = {
    ...shipped(contactPoint, keyspace),
    PORT: String(PORT),
    // All clients are at one address.
    TRUST_PROXY: 'loopback',
    SHED_EVENT_LOOP_MS: '0',
  };
  const server = startChild('src/main.js', [], env, serving);
  const sockets: WebSocket[] = [];
  try {
    await answering(`http://127.0.0.1:${PORT}/health/ready`);
    const before = await memory();
    const arrivals: Arrivals = new Map();
    say(`Opening ${subscriptions} subscriptions`);
    for (let n = 0; n < readers.length; n += AT_ONCE)
      sockets.push(
        ...(await Promise.all(
          readers.slice(n, n + AT_ONCE).map((reader) => subscribe(headers.get(reader) ?? {}, arrivals)),
        )),
      );
    const { peak, idleCpu } = await watchIdle(server, brief ? 5000 : IDLE_MS);
    const [first = [], ...rounds] = await deliver(
      headers.get(AUTHOR) ?? {},
      arrivals,
      followers,
      (brief ? 3 : ROUNDS) + WARM_UPS,
    );
    const taken = rounds.slice(WARM_UPS - 1).flat();
    const line: Line = {
      subscriptions,
      'MB before': round(before, 0),
      'MB idle, peak': round(peak, 0),
      'MB after': round(await memory(), 0),
      'idle CPU': round(idleCpu),
      followers,
      deliveries: taken.length,
      'first, ms max': round(Math.max(...first), 0),
      'ms p50': round(percentile(taken, 0.5), 0),
      'ms p99': round(percentile(taken, 0.99), 0),
      'ms max': round(Math.max(...taken), 0),
    };
    return {
      title: 'Subscriptions: memory (RSS) and the time from createTweet to each follower',
      lines: [line],
    };
  } finally {
    for (const socket of sockets) socket.terminate();
    await server.stop();
  }
}

/** The most memory of the server, in megabytes, and its CPU per second while nothing happens. */
async function watchIdle(server: Child, milliseconds: number): Promise<{ peak: number; idleCpu: number }> {
  say('Watching them idle');
  const [began, cpu] = [performance.now(), await server.cpu()];
  let peak = 0;
  while (performance.now() - began < milliseconds) {
    peak = Math.max(peak, await memory());
    await sleep(1000);
  }
  return { peak, idleCpu: ((await server.cpu()) - cpu) / ((performance.now() - began) / 1000) };
}

/** The users and follows, in pieces. */
function* recordsOf(readers: readonly string[], followers: number): Iterable<ImportRecord[]> {
  const createdAt = new Date('2026-01-01');
  const userOf = (userId: string): ImportRecord => ({
    kind: 'user',
    userId,
    username: `user${userId}`,
    name: `User ${userId}`,
    onTwitter: true,
    createdAt,
  });
  yield [userOf(AUTHOR)];
  for (let n = 0; n < readers.length; n += 1000) yield readers.slice(n, n + 1000).map(userOf);
  yield readers.slice(0, followers).map((userId) => ({
    kind: 'follow',
    follower: { userId },
    followee: { userId: AUTHOR },
    followedAt: createdAt,
  }));
}

/** Subscribes to a user's timeline, and notes when each tweet comes. */
async function subscribe(headers: Headers, arrivals: Arrivals): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${PORT}/graphql`, 'graphql-transport-ws', {
    perMessageDeflate: false,
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.send(
    JSON.stringify({ type: 'connection_init', payload: { authorization: headers['authorization'] } }),
  );
  await new Promise((resolve) => socket.once('message', resolve));
  socket.on('message', (data: Buffer) => {
    const at = performance.now();
    const { type, payload } = JSON.parse(String(data)) as {
      type: string;
      payload?: { data?: { timelineTweet: { node: { content: string } } }; errors?: unknown };
    };
    if (type !== 'next') return;
    const content = payload?.data?.timelineTweet.node.content;
    if (content === undefined) throw new Error(`A subscription must have events, but got: ${String(data)}`);
    arrivals.get(content)?.push(at);
  });
  socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: SUBSCRIPTION } }));
  return socket;
}

/** Posts some tweets, one after another, and returns for each after how many milliseconds it came to each follower. */
async function deliver(
  headers: Headers,
  arrivals: Arrivals,
  followers: number,
  rounds: number,
): Promise<number[][]> {
  const taken: number[][] = [];
  for (let n = 0; n < rounds; n++) {
    const content = `round ${n}`;
    const came: number[] = [];
    arrivals.set(content, came);
    const began = performance.now();
    const query = 'mutation ($input: CreateTweetInput!) { createTweet(input: $input) { tweet { id } } }';
    const response = await fetch(`http://127.0.0.1:${PORT}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables: { input: { content } } }),
    });
    if (!response.ok) throw new Error(`createTweet must succeed, but got: ${await response.text()}`);
    const until = Date.now() + 30_000;
    while (came.length < followers) {
      if (Date.now() > until)
        throw new Error(`A tweet came to ${came.length} of ${followers} followers only.`);
      await sleep(20);
    }
    taken.push(came.map((at) => at - began));
    await sleep(500);
  }
  return taken;
}

/** The memory of the server's process in megabytes. */
async function memory(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${PORT}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 1e6;
}
