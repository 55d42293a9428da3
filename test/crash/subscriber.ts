import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { z } from 'zod';
import type { Random } from '../../src/kit/base/random';
import type { Operation } from './api';
import type { Client } from './client';
import type { Differences } from './differences';
import { walkTweets } from './lists';
import { hasWords } from './hidden';
import type { Item, Person } from './model';
import { between, pickOne } from './random';
import type { Server } from './server';
import { blockKey, type World } from './world';

/** How long, in milliseconds, a subscriber waits until it looks again whether its timeline has a tweet. */
const LOOK_EVERY_MS = 300;
/** How long, in milliseconds, a connection may take. */
const MAX_CONNECT_MS = 5000;

const SUBSCRIPTION =
  'subscription ($after: String) { timelineTweet(after: $after) { cursor node { tweetId } } }';

const event = z.object({
  timelineTweet: z.object({ cursor: z.string(), node: z.object({ tweetId: z.string() }) }),
});

const newestCursor: Operation<string | null> = {
  name: 'User.timeline',
  source: 'query ($id: ID!) { node(id: $id) { ... on User { timeline(first: 1) { edges { cursor } } } } }',
  data: z
    .object({ node: z.object({ timeline: z.object({ edges: z.array(z.object({ cursor: z.string() })) }) }) })
    .transform(({ node }) => node.timeline.edges[0]?.cursor ?? null),
};

/** What a subscriber was given. */
export interface Subscriber {
  readonly username: string;
  /** The ids of the tweets that were in its timeline when it began; null if that was never read. */
  readonly before: () => ReadonlySet<string> | null;
  /** The ids of the tweets of all events. */
  readonly given: ReadonlySet<string>;
  /** How often it subscribed. */
  readonly times: () => number;
  /** Resolves when it has ended, after `stop` was aborted. */
  readonly ended: Promise<void>;
}

/** What a subscriber needs. */
interface SubscriberOptions {
  readonly world: World;
  readonly username: string;
  readonly token: string;
  readonly client: Client;
  readonly servers: readonly Server[];
  readonly random: Random;
  readonly stop: AbortSignal;
}

/**
 * Subscribes to a user's home timeline from the first tweet in it on: to any server, and to any other after the last cursor
 * whenever that ends.
 */
export function startSubscriber(options: SubscriberOptions): Subscriber {
  const { world, username, client, servers, random, stop } = options;
  const given = new Set<string>();
  let before: ReadonlySet<string> | null = null;
  let times = 0;
  let after: string | null = null;

  const run = async () => {
    const person = await personOf(world, username, stop);
    while (person && after === null && !stop.aborted) {
      after = await client.ask(newestCursor, { id: person.id });
      if (after === null) await pause(LOOK_EVERY_MS, stop);
    }
    if (person === null || after === null) return;
    // What comes meanwhile may be in both.
    const walk = { size: 50, backwards: false };
    const edges = await walkTweets(client, ['User', 'timeline', 'NEWEST'], person.id, walk);
    before = new Set(edges.map(({ node }) => node.tweetId));
    while (!stop.aborted) {
      const server = pickOne(random, servers);
      if (server?.ready) {
        times++;
        await followOnce(server, options, after, (tweetId, cursor) => {
          given.add(tweetId);
          after = cursor;
        });
      }
      await pause(between(random, 50, 500), stop);
    }
  };
  // An account that is being deleted sees nothing more.
  const ended = run().catch((error: unknown) => {
    if (!world.mayBeAway(username)) throw error;
  });
  return { username, before: () => before, given, times: () => times, ended };
}

/** Compares what each subscriber was given with its timeline: all that came into it must have been given. */
export function compareSubscribers(
  world: World,
  subscribers: readonly Pick<Subscriber, 'username' | 'before' | 'given'>[],
  differences: Differences,
): void {
  const { model } = world;
  for (const { username, before, given } of subscribers) {
    const present = before();
    if (present === null) continue;
    // What was hidden for a moment may have come then.
    const missing = model
      .timelineOf(username, 'NEWEST', (item) => isAlwaysShown(world, username, item))
      .filter((tweetId) => !present.has(tweetId) && !given.has(tweetId));
    differences.same(`what ${username} was not given by subscription`, missing, []);
  }
}

/** Whether an item was never hidden from a viewer, by whatever was blocked, muted or deleted. */
function isAlwaysShown(world: World, viewer: string, { post, by }: Item): boolean {
  const { blocks, absences, everMuted, everWords, everPosted } = world;
  const linked = [post.inReplyTo, post.quotes].flatMap((tweetId) => everPosted.get(tweetId ?? '') ?? []);
  const people = [by, post.author, ...linked.map(({ author }) => author)];
  const keysOf = (name: string) => [blockKey(viewer, name), blockKey(name, viewer)];
  const wasHidden = (name: string) =>
    absences.everBegan(name) || keysOf(name).some((key) => blocks.everBegan(key) || everMuted.has(key));
  const hasWord = (words: readonly string[]) => [post, ...linked].some((one) => hasWords(one, words));
  return !people.some(wasHidden) && !(everWords.get(viewer) ?? []).some(hasWord);
}

/** The user, once the mutation that creates it was answered; null if that has not happened before the stop. */
async function personOf({ model }: World, username: string, stop: AbortSignal): Promise<Person | null> {
  while (!stop.aborted) {
    const person = model.people.get(username);
    if (person) return person;
    await pause(LOOK_EVERY_MS, stop);
  }
  return null;
}

/** Subscribes once, and resolves when that has ended, for whatever reason. */
async function followOnce(
  server: Server,
  { token, stop }: SubscriberOptions,
  after: string | null,
  take: (tweetId: string, cursor: string) => void,
): Promise<void> {
  const client = createClient({
    url: `${server.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionAckWaitTimeout: MAX_CONNECT_MS,
    connectionParams: { authorization: `Bearer ${token}` },
  });
  const leave = () => void client.dispose();
  stop.addEventListener('abort', leave);
  try {
    for await (const { data } of client.iterate({ query: SUBSCRIPTION, variables: { after } })) {
      const parsed = event.safeParse(data);
      // The last event has errors in place of data.
      if (!parsed.success) return;
      const { cursor, node } = parsed.data.timelineTweet;
      take(node.tweetId, cursor);
    }
  } catch {
    // The connection is lost; the server may have been killed.
  } finally {
    stop.removeEventListener('abort', leave);
    await client.dispose();
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
