import { setTimeout as sleep } from 'node:timers/promises';
import { createStore } from '../src/import/store/store';
import type { FollowRecord } from '../src/import/records/record';
import { readConfig } from '../src/config';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { signerFor } from '../src/token/tokens';
import { articleAttacks, storeLongArticles } from './abuse/articles';
import { connectionAttacks } from './abuse/connections';
import { inputAttacks } from './abuse/inputs';
import { longTextAttacks, storeLongTexts } from './abuse/long-texts';
import type { PlainResult } from './abuse/plain-load';
import { startPlainThread } from './abuse/plain-thread';
import { documentAttacks, queryAttacks } from './abuse/queries';
import { graphql, send, type Call, type Outcome } from './abuse/send';
import { worstOf, type Attack, type Target } from './abuse/target';
import { termAttacks } from './abuse/terms';
import { watchPeaks } from './abuse/watch';
import { answering, startChild, type Child } from './child';
import { percentile, round, say, type Line, type Section } from './measure';
import { bodyOf, queries } from './queries';
import { randomFrom } from '../src/kit/base/random';
import { headersOfUsers, headersWith, SEED, serving, shipped, withDatabase, type Stage } from './stage';
import { fillTweets } from './tweets/fill';
import { personId } from './tweets/generate';
import { wordAt } from './tweets/vocabulary';

const PORT = 4831;
const TWEETS = 20_000;
const FOLLOWED = 2000;
/** How many days are searched for the newest tweets. */
const MAX_DAYS = 1000;
/** So low that ordinary people follow some authors with more followers, as on a server with millions of users. */
const PUSH_LIMIT = '20';
/** For how long each attack is repeated, and the least time between two starts of it, in milliseconds. */
const REPEATED_MS = 10_000;
const PACE_MS = 500;
/** For how long the ordinary client warms the server up, in milliseconds. */
const WARM_UP_MS = 15_000;

/**
 * Measures the worst requests that we know, one kind at a time, while an ordinary client reads home timelines: what they
 * cost the server, and how they affect others. The server has the default limits and keeps what it has read, as it does
 * by default. It has no rates per minute, which would stop most attacks.
 */
export async function compareAbuse({ contactPoint, brief, only, tweets = TWEETS }: Stage): Promise<Section> {
  const keyspace = 'abused';
  const end = new Date();
  const env = {
    ...shipped(contactPoint, keyspace),
    FANOUT_PUSH_LIMIT: PUSH_LIMIT,
    // An empty value means the default.
    RATE_REQUESTS_AT_ONCE: '',
  };
  const readers = Array.from({ length: 50 }, (_, n) => personId(100 + n));
  const follower = personId(800_000_000);
  const headers = await withDatabase(contactPoint, keyspace, async (database) => {
    await fillTweets(database, env, { tweets, end, random: randomFrom(SEED) });
    const store = createStore(database, readConfig(env));
    await store.add(followsOf(follower));
    await store.settle();
    await storeLongArticles(database, follower, end);
    await storeLongTexts(database, personId(0));
    return headersOfUsers(database, [follower, ...readers]);
  });
  const target: Target = {
    port: PORT,
    person: headers.get(follower) ?? {},
    service: headersWith(await (await signerFor(readConfig(env), 'others')).forService()),
    personId: encodeNodeId('User', follower),
    userIds: Array.from({ length: 100 }, (_, n) => encodeNodeId('User', personId(n))),
    words: Array.from({ length: 20 }, (_, n) => wordAt(n + 1)),
    end,
    tweetIds: [],
  };
  const plain = queries.find(({ name }) => name === 'R');
  if (plain === undefined) throw new Error('There must be a query R, a home timeline, but there is none.');
  const ordinary = readers.map((reader) => ({
    port: PORT,
    headers: headers.get(reader) ?? {},
    body: bodyOf(plain, reader),
  }));
  const server = startChild('src/main.js', [], { ...env, PORT: String(PORT), EXPLAIN: 'everybody' }, [
    ...serving,
    '--expose-gc',
  ]);
  const lines: Line[] = [];
  const times: number[] = [];
  try {
    await answering(`http://127.0.0.1:${PORT}/health/ready`);
    const known = { ...target, tweetIds: await newestTweets(target) };
    const repeated = brief ? 500 : REPEATED_MS;
    const load = startPlainThread(ordinary);
    await sleep(brief ? 500 : WARM_UP_MS);
    await load.stop();
    const attacks = [
      nothing,
      ...inputAttacks,
      ...documentAttacks,
      ...queryAttacks,
      ...articleAttacks,
      ...longTextAttacks,
      ...connectionAttacks,
      ...termAttacks,
      nothing,
    ];
    for (const attack of attacks.filter(({ what }) => what === nothing.what || what.includes(only))) {
      const { line, plain: result } = await measureAttack(attack, known, server, ordinary, repeated);
      lines.push(line);
      if (attack !== nothing) times.push(...result.times);
      say(JSON.stringify(line));
    }
    lines.push(lineOfAll(times));
  } finally {
    await server.stop();
  }
  return { title: 'Abuse: each attack beside 20 home timelines a second', lines };
}

/** No attack, as the baseline. */
const nothing: Attack = {
  what: 'nothing',
  run: ({ port }) => send({ port, body: graphql('{ __typename }') }),
};

/** All requests of the ordinary client beside attacks, as if they were one load. */
function lineOfAll(times: readonly number[]): Line {
  return {
    what: 'beside all attacks together',
    'plain sent': times.length,
    'p50 ms': round(percentile(times, 0.5), 1),
    'p99 ms': round(percentile(times, 0.99), 1),
    'worst ms': round(Math.max(0, ...times), 1),
  };
}

async function measureAttack(
  attack: Attack,
  target: Target,
  server: Child,
  ordinary: readonly Call[],
  repeated: number,
): Promise<{ readonly line: Line; readonly plain: PlainResult }> {
  const before = await server.heap();
  const load = startPlainThread(ordinary);
  const watched = watchPeaks(target.port);
  const outcomes: Outcome[] = [];
  for (const until = performance.now() + repeated; performance.now() < until;) {
    const pause = sleep(PACE_MS);
    outcomes.push(await attack.run(target));
    await pause;
  }
  const outcome = worstOf(outcomes);
  const plain = await load.stop();
  const { sent, lost, p50, p99, worst } = plain;
  const peaks = await watched.stop();
  const after = await server.heap();
  const megabytes = (bytes: number) => round(bytes / 1e6, 1);
  const line = {
    what: attack.what,
    times: outcomes.length,
    status: [outcome.status, outcome.code].filter((part) => part !== null).join(' '),
    'most ms': Math.round(outcome.milliseconds),
    kB: Math.round(outcome.bytes / outcomes.length / 1000),
    'plain sent': sent,
    lost,
    'p50 ms': round(p50, 1),
    'p99 ms': round(p99, 1),
    'worst ms': round(worst, 1),
    'in flight, MB': megabytes(peaks.bytesInFlight),
    'heap before, MB': megabytes(before),
    'most, MB': megabytes(peaks.heap),
    'after, MB': megabytes(after),
  };
  return { line, plain };
}

function followsOf(follower: string): FollowRecord[] {
  return Array.from({ length: FOLLOWED }, (_, n) => ({
    kind: 'follow' as const,
    follower: { userId: follower },
    followee: { userId: personId(n) },
  }));
}

async function newestTweets({ port, end }: Target): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let day = 0; ids.length < 100 && day < MAX_DAYS; day++) {
    const source = `{ tweetsOfDay(day: "${new Date(Number(end) - day * 86_400_000).toISOString().slice(0, 10)}", first: 100) { nodes { id } } }`;
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: graphql(source),
    });
    const { data } = (await response.json()) as {
      readonly data: { readonly tweetsOfDay: { readonly nodes: readonly { readonly id: string }[] } };
    };
    ids.push(...data.tweetsOfDay.nodes.map(({ id }) => id));
  }
  return ids.slice(0, 100);
}
