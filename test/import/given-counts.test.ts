import { createStore } from '../../src/import/store/store';
import type { Database } from '../../src/kit/cassandra/database';
import { recount } from '../../src/jobs/recount';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { person, startHarness, tweet, type Harness } from '../support/harness';
import { act, ask } from '../support/mutations';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada'), person('2', 'bo')]);
});
afterAll(() => server.close());

function countsOf(tweetId: string) {
  return ask(server, `{ tweet(tweetId: "${tweetId}") { likeCount shareCount replyCount } }`);
}

async function like(tweetId: string, who: string): Promise<void> {
  await act(server, who, 'likeTweet', { id: encodeNodeId('Tweet', tweetId) });
  await server.writeServices.outbox.idle();
}

async function differences(): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const difference of recount(server.database, () => undefined)) found.push(difference);
  return found;
}

/** The connection of an import that is killed after so many requests that write. */
function killedAfter(requests: number): Database {
  let left = requests;
  const orKilled = async (write: () => Promise<void>) => {
    if (left-- <= 0) throw new Error('killed');
    await write();
  };
  const { database } = server;
  return {
    ...database,
    write: (cql, params) => orKilled(() => database.write(cql, params)),
    batch: (writes, options) => orKilled(() => database.batch(writes, options)),
  };
}

test('an import that is killed at any write and repeated after likes leaves the right counts', async () => {
  const seen = new Set<boolean>();
  for (let requests = 0, isKilled = true; isKilled; requests++) {
    const [complete, partial, reply] = [1, 2, 3].map((n) => String(1000 + requests * 10 + n));
    const records = [
      tweet(complete ?? '', '1', 1, { likeCount: 7, shareCount: 3, replyCount: 5 }),
      tweet(partial ?? '', '1', 1, { likeCount: 4 }),
      tweet(reply ?? '', '2', 1, { inReplyToId: partial ?? '' }),
    ];
    const killed = createStore(killedAfter(requests), server.config);
    isKilled = await killed
      .add(records)
      .then(() => killed.settle())
      .then(
        () => false,
        () => true,
      );
    const shown = await countsOf(complete ?? '');
    const isStored = JSON.stringify(shown).includes('likeCount');
    seen.add(isStored && isKilled);
    if (isStored) for (const tweetId of [complete, partial]) await like(tweetId ?? '', '2');
    await server.store(records);
    const added = isStored ? 1 : 0;
    expect([requests, await countsOf(complete ?? ''), await countsOf(partial ?? '')]).toEqual([
      requests,
      { tweet: { likeCount: 7 + added, shareCount: 3, replyCount: 5 } },
      { tweet: { likeCount: 4 + added, shareCount: 0, replyCount: 1 } },
    ]);
  }
  expect([...seen].sort()).toEqual([false, true]);
  expect(await differences()).toEqual([]);
});

test('counts that a record does not give again stay, also where the tweet moves', async () => {
  await server.store([tweet('300', '1', 1, { likeCount: 7, shareCount: 3 })]);
  await server.store([tweet('300', '1', 2, { likeCount: 8 }), tweet('301', '2', 3, { inReplyToId: '300' })]);
  expect(await countsOf('300')).toEqual({ tweet: { likeCount: 8, shareCount: 3, replyCount: 1 } });
  expect(await differences()).toEqual([]);
});

test('counts of a source that are smaller than what is deleted here show nothing, never less', async () => {
  await server.store([
    tweet('900', '1', 1, { likeCount: 0, shareCount: 0, replyCount: 0, quoteCount: 0 }),
    tweet('901', '2', 2, { inReplyToId: '900' }),
    tweet('902', '2', 3, { sharedTweetId: '900' }),
    tweet('903', '2', 4, { quotedTweetId: '900' }),
  ]);
  for (const id of ['901', '903']) await act(server, '2', 'deleteTweet', { id: encodeNodeId('Tweet', id) });
  await act(server, '2', 'unshareTweet', { id: encodeNodeId('Tweet', '900') });
  await server.writeServices.outbox.idle();
  expect(
    await ask(server, '{ tweet(tweetId: "900") { likeCount shareCount replyCount quoteCount } }'),
  ).toEqual({ tweet: { likeCount: 0, shareCount: 0, replyCount: 0, quoteCount: 0 } });
  expect(await differences()).toEqual([]);
});

test('a share that an import has stored is counted once, also if its author shares the tweet again here', async () => {
  await server.store([
    person('5', 'eve'),
    tweet('910', '1', 1),
    tweet('911', '5', 2, { sharedTweetId: '910' }),
  ]);
  const original = { id: encodeNodeId('Tweet', '910') };
  const shown =
    '{ user(username: "eve") { tweetCount tweets { nodes { tweetId } } } tweet(tweetId: "910") { shareCount } }';
  for (const _ of ['first', 'again']) {
    await act(server, '5', 'shareTweet', original);
    await server.writeServices.outbox.idle();
    expect(await ask(server, shown)).toEqual({
      user: { tweetCount: 1, tweets: { nodes: [{ tweetId: '911' }] } },
      tweet: { shareCount: 1 },
    });
  }
  await act(server, '5', 'unshareTweet', original);
  await server.writeServices.outbox.idle();
  expect(await ask(server, shown)).toMatchObject({ user: { tweetCount: 0 }, tweet: { shareCount: 0 } });
  expect(await differences()).toEqual([]);
});
