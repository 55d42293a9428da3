import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { createOutbox } from '../src/kit/work/outbox';
import { buckets, monthOf } from '../src/kit/data/buckets';
import { encodeNodeId } from '../src/kit/relay/node';
import { timeOfId } from '../src/kit/base/snowflake';
import { writeOf } from '../src/kit/data/write';
import { setLiked } from '../src/write/like/set-liked';
import { modeOf } from '../src/write/timeline/fan-out-mode';
import { finalTime } from '../src/write/timeline/final-time';
import { post as postTweet } from '../src/write/tweet/post-tweet';
import { removalsOf, rowsOf } from '../src/write/tweet/tweet-rows';
import { deletedByAuthor, deletedTweets } from '../src/tweet/tweet.table';
import { openWriteContext, type WriteContext } from '../src/write/write-context';
import { follow, type Harness, person, startHarness, tweet } from './harness';
import { act, ask, plain, post } from './mutations';

let server: Harness;

beforeAll(async () => {
  server = await startHarness();
  await server.store([
    ...['1', '2', '3', '4', '5'].map((id) => person(id, `user${id}`)),
    follow('2', '1'),
    follow('3', '1'),
    tweet('100', '1', 1),
  ]);
});

afterAll(() => server.close());

/** Has a server begin something and be gone: it finishes nothing behind its mutations, and nothing of it is alive. */
async function leave<T>(begin: (writeContext: WriteContext) => Promise<T>): Promise<T> {
  const writeContext = await openWriteContext(server.database, server.config, pino({ level: 'silent' }));
  try {
    return await begin(writeContext);
  } finally {
    await writeContext.close();
  }
}

/** Writes down what a server is about to do. */
async function intend(
  { database, outbox }: WriteContext,
  kind: string,
  payload: Readonly<Record<string, string>>,
) {
  const { write } = await outbox.prepareTask(kind, payload);
  await database.write(write.query, write.params);
}

/** Resolves when no server has left anything. */
async function settled(): Promise<void> {
  while ((await server.writeContext.outbox.pending()).length > 0) await sleep(100);
  await server.writeContext.outbox.idle();
}

async function timelineOf(userId: string): Promise<string[]> {
  const data = await ask(server, `{ user(username: "user${userId}") { timeline { nodes { content } } } }`);
  const { user } = data as { user: { timeline: { nodes: { content: string }[] } } };
  return user.timeline.nodes.map(({ content }) => content);
}

test('a tweet that a server posted and did not push comes into the timelines', async () => {
  await leave((writeContext) =>
    postTweet(writeContext, '1', {
      key: null,
      content: null,
      inReplyToId: null,
      draft: () => Promise.resolve({ ...plain, content: 'not pushed' }),
    }),
  );
  expect(await server.writeContext.outbox.pending()).toMatchObject([{ kind: 'post' }]);
  await settled();
  for (const follower of ['2', '3']) expect(await timelineOf(follower)).toEqual(['not pushed', 'tweet 100']);
  expect(await timelineOf('4')).toEqual([]);
});

test('a reply that a server stored and neither counted nor pushed is counted once and pushed', async () => {
  const target = await post(server, '4', { content: 'target' });
  const tweetCount = async () =>
    ((await ask(server, '{ user(username: "user1") { tweetCount } }')) as { user: { tweetCount: number } })
      .user.tweetCount;
  const before = await tweetCount();
  await leave(async ({ database, outbox, worker }) => {
    const tweetId = worker.nextId();
    const { write } = await outbox.prepareTask('post', { tweetId });
    const { writes, listBuckets } = rowsOf({
      ...plain,
      tweetId,
      authorId: '1',
      content: 'not counted',
      createdAt: timeOfId(tweetId),
      inReplyToId: target.tweetId,
    });
    await database.batch(
      [write, ...writes, ...listBuckets.map((listBucket) => writeOf(buckets, listBucket))],
      {
        logged: true,
      },
    );
  });
  await settled();
  expect(await tweetCount()).toBe(before + 1);
  expect(await ask(server, `{ tweet(tweetId: "${target.tweetId}") { replyCount } }`)).toEqual({
    tweet: { replyCount: 1 },
  });
  expect((await timelineOf('2'))[0]).toBe('not counted');
});

test('what a server decided and did not store is stored: a following, a like and a share', async () => {
  const { id, tweetId } = await post(server, '5', { content: 'acted on' });
  await leave(async (writeContext) => {
    await intend(writeContext, 'follow', { follower: '4', followee: '5' });
    await writeContext.database.compareAndWrite([
      {
        query:
          'UPDATE relations SET low_follows = true, low_since = ?, low_at = ?, low_turn = 1 WHERE pair = ? IF low_at = null',
        params: [new Date(), new Date(), '4 5'],
      },
    ]);
    await intend(writeContext, 'like', { tweetId, userId: '4' });
    await writeContext.tally.change({ owner: tweetId, list: 'likes', member: '4', present: true });
    await intend(writeContext, 'share', { tweetId, userId: '4' });
    const item = writeContext.worker.nextId();
    await writeContext.tally.change({ owner: tweetId, list: 'shares', member: '4', present: true, item });
  });
  await settled();
  const source = `{
    viewer { followingCount tweetCount following { nodes { username } } likes { nodes { content } } tweets(first: 1) { nodes { sharedTweet { tweetId } } } timeline { nodes { content } } }
    user(username: "user5") { followerCount followers { nodes { username } } viewerIsFollowing }
    node(id: "${id}") { ... on Tweet { likeCount shareCount viewerHasLiked viewerHasShared likers { nodes { username } } } }
  }`;
  expect(await ask(server, source, '4')).toEqual({
    viewer: {
      followingCount: 1,
      tweetCount: 2,
      following: { nodes: [{ username: 'user5' }] },
      likes: { nodes: [{ content: 'acted on' }] },
      tweets: { nodes: [{ sharedTweet: { tweetId } }] },
      timeline: { nodes: [{ content: 'acted on' }] },
    },
    user: { followerCount: 1, followers: { nodes: [{ username: 'user4' }] }, viewerIsFollowing: true },
    node: {
      likeCount: 1,
      shareCount: 1,
      viewerHasLiked: true,
      viewerHasShared: true,
      likers: { nodes: [{ username: 'user4' }] },
    },
  });
});

test('who liked again after rows could not be written stands among the likers once', async () => {
  const liked = await post(server, '5', { content: 'liked again' });
  await act(server, '4', 'likeTweet', { id: liked.id });
  const row = { ...plain, tweetId: liked.tweetId, authorId: '5', content: '', createdAt: new Date() };
  await leave(async (writeContext) => {
    const cut = () => Promise.reject(new Error('cut off'));
    const bulk = () => ({ ...writeContext.bulk(), flush: cut });
    for (const likes of [false, true, false])
      await setLiked({ ...writeContext, bulk }, row, '4', likes).catch(() => undefined);
  });
  await settled();
  const likers = `{ node(id: "${liked.id}") { ... on Tweet { likeCount likers { nodes { username } } } } user(username: "user4") { likes(first: 2) { nodes { content } } } }`;
  for (let n = 0; n < 2; n++) {
    await act(server, '4', 'likeTweet', { id: liked.id });
    expect(await ask(server, likers)).toEqual({
      node: { likeCount: 1, likers: { nodes: [{ username: 'user4' }] } },
      user: { likes: { nodes: [{ content: 'liked again' }, { content: 'acted on' }] } },
    });
  }
});

test('a deletion that a server stored and did not finish is finished', async () => {
  const target = await post(server, '4', { content: 'deleted by half' });
  await act(server, '2', 'followUser', { id: encodeNodeId('User', '4') });
  await act(server, '2', 'likeTweet', { id: target.id });
  await act(server, '2', 'shareTweet', { id: target.id });
  await server.writeContext.outbox.idle();
  expect((await timelineOf('2'))[0]).toBe('deleted by half');
  const counts =
    '{ user(username: "user4") { tweetCount } sharer: user(username: "user2") { tweetCount likes { nodes { content } } } }';
  const before = (await ask(server, counts)) as { user: { tweetCount: number } };
  await leave(async (writeContext) => {
    const { tweetId } = target;
    const createdAt = timeOfId(tweetId);
    const row = { ...plain, tweetId, authorId: '4', content: '', createdAt };
    const payload = { tweetId, authorId: '4', createdAt: createdAt.toISOString() };
    const { write } = await writeContext.outbox.prepareTask('delete', payload);
    const bucket = monthOf(createdAt);
    await writeContext.database.batch(
      [
        write,
        writeOf(deletedTweets, { tweetId, authorId: '4', createdAt }),
        writeOf(deletedByAuthor, { authorId: '4', bucket, tweetId, createdAt }),
        writeOf(buckets, { owner: '4', list: deletedByAuthor.name, bucket }),
        ...removalsOf(row, finalTime(createdAt)),
      ],
      { logged: true },
    );
  });
  await settled();
  expect(await timelineOf('2')).not.toContain('deleted by half');
  expect(await ask(server, counts)).toEqual({
    user: { tweetCount: before.user.tweetCount - 1 },
    sharer: { tweetCount: 0, likes: { nodes: [] } },
  });
});

test('what a server that lives has under way is left to it', async () => {
  const living = await startHarness({}, server);
  await intend(living.writeContext, 'post', { tweetId: '12345' });
  await leave((writeContext) => intend(writeContext, 'like', { tweetId: '100', userId: '5' }));
  const kinds = async () => (await server.writeContext.outbox.pending()).map(({ kind }) => kind).sort();
  expect(await kinds()).toEqual(['like', 'post']);
  while ((await kinds()).length > 1) await sleep(100);
  expect(await kinds()).toEqual(['post']);
  // Its tweet is deleted: nothing is left to do when the server ends.
  await server.database.write('INSERT INTO deleted_tweets (tweet_id, author_id) VALUES (12345, 1)', []);
  await living.close();
  await settled();
});

test('a task that is written long after it was planned is found, though its window was closed meanwhile', async () => {
  await settled();
  await leave(async ({ database, outbox }) => {
    const prepared = await outbox.prepareTask('like', { tweetId: '100', userId: '5' });
    await database.write('DELETE FROM outbox_windows WHERE part = 0 AND window = ?', [prepared.task.window]);
    const createdAt = new Date(Date.now() - 31_000);
    await outbox.enqueue({ ...prepared, task: { ...prepared.task, createdAt } });
  });
  expect(await server.writeContext.outbox.pending()).toMatchObject([{ kind: 'like' }]);
  await settled();
});

test('a failure to look for tasks of other servers is logged once, and so is its end', async () => {
  const told: unknown[] = [];
  const stream = { write: (line: string) => told.push((JSON.parse(line) as { msg: string }).msg) };
  await leave(async ({ worker }) => {
    let failed = 0;
    const others = () => (++failed > 3 ? worker.others() : Promise.reject(new Error('away')));
    const outbox = createOutbox(server.database, { ...worker, others }, pino({ level: 'info' }, stream));
    outbox.start({});
    while (told.length < 2) await sleep(100);
    await outbox.stop();
    expect(failed).toBeGreaterThan(3);
  });
  expect(told).toEqual([
    'cannot look for tasks of other servers',
    'can look for tasks of other servers again',
  ]);
});

test('a change of mode that a killed import left is ended, unless a server is at work on it', async () => {
  const change = (authorId: string) =>
    server.database.write("INSERT INTO fanout_modes (author_id, mode, turn) VALUES (?, 'toPull', 1)", [
      authorId,
    ]);
  const afterPosting = async (authorId: string) => {
    await post(server, authorId, { content: 'by one whose mode changes' });
    await server.writeContext.outbox.idle();
    return (await modeOf(server.writeContext, authorId)).mode;
  };
  await change('3');
  expect(await afterPosting('3')).toBe('push');
  await change('4');
  const living = await startHarness({}, server, { held: true });
  await intend(living.writeContext, 'mode', { authorId: '4' });
  for (let n = 0; n < 2; n++) expect(await afterPosting('4')).toBe('toPull');
  await living.close();
  await settled();
  expect((await modeOf(server.writeContext, '4')).mode).toBe('push');
});

describe('with a retention', () => {
  let keeping: Harness;
  beforeAll(async () => {
    keeping = await startHarness({ TIMELINE_RETENTION_MONTHS: '2' }, server);
  });
  afterAll(() => keeping.close());

  const DAY = 86_400_000;
  const monthsAfter = (moment: Date, listBuckets: number) => {
    const after = new Date(moment);
    after.setUTCDate(1);
    after.setUTCMonth(after.getUTCMonth() + listBuckets + 1, 0);
    after.setUTCDate(Math.min(after.getUTCDate(), moment.getUTCDate()));
    return after;
  };

  test('rows of timelines expire so many months after the tweet, however they came there', async () => {
    const since = Date.now();
    const daysAgo = (days: number) => new Date(since - days * DAY);
    const imported = [
      ['2000', 1],
      ['2001', 40],
      ['2002', 70],
    ] as const;
    await keeping.store([
      person('21', 'author'),
      person('22', 'early'),
      person('23', 'late'),
      follow('22', '21'),
      ...imported.map(([id, days]) => tweet(id, '21', 0, { createdAt: daysAgo(days) })),
    ]);
    await post(keeping, '21', { content: 'posted' });
    await keeping.writeContext.outbox.idle();
    await act(keeping, '23', 'followUser', { id: encodeNodeId('User', '21') });
    await keeping.writeContext.outbox.idle();
    for (const reader of [22, 23]) {
      const rows: { content: string; at: Date; left: number }[] = [];
      for (let listBucket = monthOf(daysAgo(100)); listBucket <= monthOf(new Date()); listBucket++)
        rows.push(
          ...((await server.database.read(
            'SELECT content, created_at AS at, TTL(content) AS left FROM timelines_by_user WHERE user_id = ? AND bucket = ?',
            [String(reader), listBucket],
          )) as typeof rows),
        );
      expect(rows.map(({ content }) => content).sort()).toEqual(['posted', 'tweet 2000', 'tweet 2001']);
      for (const { at, left } of rows) {
        // Written between the beginning of this test and now, with whole seconds that count from then.
        const expires = Number(monthsAfter(at, 2));
        expect(left * 1000).toBeLessThanOrEqual(expires - since + 1000);
        expect(left * 1000).toBeGreaterThanOrEqual(expires - Date.now() - 2000);
      }
    }
  });
});
