import { setTimeout as sleep } from 'node:timers/promises';
import { createBulkWriter } from '../../src/kit/writes/bulk';
import { readMany } from '../../src/kit/reads/load';
import { bucketAssignerOf } from '../../src/kit/lists/bucket-assigner';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { timeOfId } from '../../src/kit/base/snowflake';
import { writeOf } from '../../src/kit/cassandra/write';
import { setShared } from '../../src/write/share/set-shared';
import { setLiked } from '../../src/write/like/set-liked';
import { finalTime } from '../../src/write/final-time';
import { encodePosted, postTweet } from '../../src/write/tweet/post-tweet';
import { buildTweetRemovals, tweetRows } from '../../src/write/tweet/tweet-rows';
import type { WriteServices } from '../../src/write/write-services';
import { deletedByAuthor } from '../../src/features/tweet/tweet.lists';
import { deletedTweets, tweets } from '../../src/features/tweet/tweet.table';
import { act, ask, plain, post } from '../support/mutations';
import { settled } from '../support/settled';
import { intend, leave, server } from './leaving';

async function timelineOf(userId: string): Promise<string[]> {
  const data = await ask(server, `{ user(username: "user${userId}") { timeline { nodes { content } } } }`);
  const { user } = data as { user: { timeline: { nodes: { content: string }[] } } };
  return user.timeline.nodes.map(({ content }) => content);
}

/** The arguments of a period: yesterday, today and tomorrow. */
function threeDays(): string {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  return `from: "${day(-1)}T00:00:00Z", to: "${day(2)}T00:00:00Z"`;
}

test('a tweet that a server posted and was gone comes into the timelines, search and frequency', async () => {
  await leave((writeServices) =>
    postTweet(writeServices, '1', {
      key: null,
      content: null,
      inReplyToId: null,
      quotedTweetId: null,
      draft: () => Promise.resolve({ ...plain, content: 'not pushed', language: 'xh' }),
    }),
  );
  expect(await server.writeServices.outbox.pending()).toMatchObject([{ kind: 'post' }]);
  await settled(server);
  for (const follower of ['2', '3']) expect(await timelineOf(follower)).toEqual(['not pushed', 'tweet 100']);
  expect(
    await ask(
      server,
      `{ searchTweets(words: ["pushed"]) { nodes { content } } tweetFrequency(${threeDays()}, unit: DAY, language: "xh") { count } }`,
    ),
  ).toEqual({
    searchTweets: { nodes: [{ content: 'not pushed' }] },
    tweetFrequency: [{ count: 0 }, { count: 1 }, { count: 0 }],
  });
  expect(await timelineOf('4')).toEqual([]);
});

/** What a server writes with that dies before it stores the rows of lists. */
function withoutRows(writeServices: WriteServices): WriteServices {
  return { ...writeServices, bulk: createBulkWriter(writeServices.database, AbortSignal.abort()) };
}

async function tweetCountOf(username: string): Promise<number> {
  const data = await ask(server, `{ user(username: "${username}") { tweetCount } }`);
  return (data as { user: { tweetCount: number } }).user.tweetCount;
}

/** Whether a user sees that it shares a tweet. */
async function sharesIt(userId: string, id: string): Promise<boolean> {
  const data = await ask(server, `{ node(id: "${id}") { ... on Tweet { viewerHasShared } } }`, userId);
  return (data as { node: { viewerHasShared: boolean } }).node.viewerHasShared;
}

test('a reply that a server stored and neither counted nor pushed is counted once and pushed', async () => {
  const target = await post(server, '4', { content: 'target' });
  const before = await tweetCountOf('user1');
  await leave(async ({ database, outbox, worker }) => {
    const tweetId = worker.nextId();
    const reply = {
      ...plain,
      tweetId,
      authorId: '1',
      content: 'not counted',
      createdAt: timeOfId(tweetId),
      inReplyToId: target.tweetId,
    };
    const { write } = await outbox.prepareTask('post', encodePosted(reply));
    const writes = tweetRows(reply);
    await database.batch([write, ...(await bucketAssignerOf(database).assignBuckets(writes))], {
      logged: true,
    });
  });
  await settled(server);
  expect(await tweetCountOf('user1')).toBe(before + 1);
  expect(await ask(server, `{ tweet(tweetId: "${target.tweetId}") { replyCount } }`)).toEqual({
    tweet: { replyCount: 1 },
  });
  expect((await timelineOf('2'))[0]).toBe('not counted');
});

test('a reply whose server counted it and stored nothing but its task is stored, counted once and pushed', async () => {
  const target = await post(server, '3', { content: 'target' });
  await settled(server);
  const before = await tweetCountOf('user1');
  const location = { latitude: 52.5, longitude: 13.4, country: null };
  const draft = { ...plain, content: 'only a task #ofatask', location, inReplyToId: target.tweetId };
  await leave(async (writeServices) => {
    const posting = {
      key: null,
      content: null,
      inReplyToId: null,
      quotedTweetId: null,
      draft: () => Promise.resolve(draft),
    };
    await expect(postTweet(withoutRows(writeServices), '1', posting)).rejects.toThrow();
  });
  const [task] = await server.writeServices.outbox.pendingOf(['post']);
  const { tweetId } = JSON.parse(task?.payload ?? '{}') as { tweetId: string };
  expect(await ask(server, `{ tweet(tweetId: "${tweetId}") { content } }`)).toEqual({ tweet: null });
  await settled(server);
  expect(
    await ask(
      server,
      `{ tweet(tweetId: "${tweetId}") { content createdAt hashtags location { latitude } inReplyTo { replyCount } } searchTweets(words: ["ofatask"]) { nodes { tweetId } } }`,
    ),
  ).toEqual({
    tweet: {
      content: draft.content,
      createdAt: timeOfId(tweetId).toISOString(),
      hashtags: [],
      location: { latitude: 52.5 },
      inReplyTo: { replyCount: 1 },
    },
    searchTweets: { nodes: [{ tweetId }] },
  });
  expect(await tweetCountOf('user1')).toBe(before + 1);
  expect((await timelineOf('2'))[0]).toBe(draft.content);
});

test('a share that was taken back after its server counted it and stored nothing but its task is not counted', async () => {
  const counted = async () => (await server.writeServices.tally.totals('1')).counts.get('tweets') ?? 0;
  const target = await post(server, '3', { content: 'not shared' });
  await settled(server);
  const before = await counted();
  await leave(async (writeServices) => {
    const [original] = await readMany(writeServices.database, tweets.get, [{ tweetId: target.tweetId }]);
    if (!original) throw new Error('the original must be stored');
    await expect(setShared(withoutRows(writeServices), original, '1', true)).rejects.toThrow();
    while ((await counted()) === before) await sleep(20);
  });
  await act(server, '1', 'unshareTweet', { id: encodeNodeId('Tweet', target.tweetId) });
  await settled(server);
  expect(await counted()).toBe(before);
});

test('what a server decided and did not store is stored: a following, a like and a share', async () => {
  const { id, tweetId } = await post(server, '5', { content: 'acted on' });
  await leave(async (writeServices) => {
    await intend(writeServices, 'follow', { follower: '4', followee: '5' });
    await writeServices.database.compareAndWrite([
      {
        query:
          'UPDATE relations SET low_follows = true, low_since = ?, low_at = ?, low_version = 1 WHERE pair = ? IF low_at = null',
        params: [new Date(), new Date(), '4 5'],
      },
    ]);
    await intend(writeServices, 'like', { tweetId, userId: '4' });
    await writeServices.tally.change({ owner: tweetId, list: 'likes', member: '4', present: true });
    await intend(writeServices, 'share', { tweetId, userId: '4' });
    const item = writeServices.worker.nextId();
    await writeServices.tally.change({ owner: tweetId, list: 'shares', member: '4', present: true, item });
  });
  await settled(server);
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
  await leave(async (writeServices) => {
    const cut = () => Promise.reject(new Error('cut off'));
    const bulk = () => ({ ...writeServices.bulk(), flush: cut });
    for (const likes of [false, true, false])
      await setLiked({ ...writeServices, bulk }, row, '4', likes).catch(() => undefined);
  });
  await settled(server);
  const likers = `{ node(id: "${liked.id}") { ... on Tweet { likeCount likers { nodes { username } } } } user(username: "user4") { likes(first: 2) { nodes { content } } } }`;
  for (let n = 0; n < 2; n++) {
    await act(server, '4', 'likeTweet', { id: liked.id });
    expect(await ask(server, likers)).toEqual({
      node: { likeCount: 1, likers: { nodes: [{ username: 'user4' }] } },
      user: { likes: { nodes: [{ content: 'liked again' }, { content: 'acted on' }] } },
    });
  }
});

test('who shares again, after a part of the rows was stored, sees it at once', async () => {
  const target = await post(server, '4', { content: 'shared by half' });
  const [original] = await readMany(server.database, tweets.get, [{ tweetId: target.tweetId }]);
  if (original == null) throw new Error('the tweet must be stored');
  const sharing = leave((writeServices) => {
    const { database } = writeServices;
    const batch: typeof database.batch = async (writes) => {
      for (const { query, params } of writes) if (query === tweets.put) await database.write(query, params);
      throw new Error('gone');
    };
    const bulk = createBulkWriter(Object.assign(Object.create(database), { batch }) as typeof database);
    return setShared({ ...writeServices, bulk }, original, '5', true);
  });
  await expect(sharing).rejects.toThrow('gone');
  await act(server, '5', 'shareTweet', { id: target.id });
  expect(await sharesIt('5', target.id)).toBe(true);
  await act(server, '5', 'unshareTweet', { id: target.id });
  expect(await sharesIt('5', target.id)).toBe(false);
  await settled(server);
});

test('a deletion that a server stored and did not finish is finished', async () => {
  const target = await post(server, '4', { content: 'deleted by half' });
  await act(server, '2', 'followUser', { id: encodeNodeId('User', '4') });
  await act(server, '2', 'likeTweet', { id: target.id });
  await act(server, '2', 'shareTweet', { id: target.id });
  await server.writeServices.outbox.idle();
  expect((await timelineOf('2'))[0]).toBe('deleted by half');
  const counts =
    '{ user(username: "user4") { tweetCount } sharer: user(username: "user2") { tweetCount likes { nodes { content } } } }';
  const before = (await ask(server, counts)) as { user: { tweetCount: number } };
  await leave(async (writeServices) => {
    const { tweetId } = target;
    const createdAt = timeOfId(tweetId);
    const row = { ...plain, tweetId, authorId: '4', content: '', createdAt };
    const payload = { tweetId, authorId: '4', createdAt: createdAt.toISOString() };
    const { write } = await writeServices.outbox.prepareTask('delete', payload);
    const writes = [
      write,
      writeOf(deletedTweets, { tweetId, authorId: '4', createdAt }),
      writeOf(deletedByAuthor, { authorId: '4', tweetId, createdAt }),
      ...buildTweetRemovals(row, finalTime(createdAt)),
    ];
    await writeServices.database.batch(await bucketAssignerOf(writeServices.database).assignBuckets(writes), {
      logged: true,
    });
  });
  await settled(server);
  expect(await timelineOf('2')).not.toContain('deleted by half');
  expect(await ask(server, counts)).toEqual({
    user: { tweetCount: before.user.tweetCount - 1 },
    sharer: { tweetCount: 0, likes: { nodes: [] } },
  });
});

test('who unshares again, after a server was gone that had not counted the removal yet, sees the count at once', async () => {
  const target = await post(server, '4', { content: 'shared' });
  const before = await tweetCountOf('user5');
  await act(server, '5', 'shareTweet', { id: target.id });
  expect(await tweetCountOf('user5')).toBe(before + 1);
  const [original] = await readMany(server.database, tweets.get, [{ tweetId: target.tweetId }]);
  if (original == null) throw new Error('the tweet must be stored');
  const unsharing = leave((writeServices) => {
    const tally: WriteServices['tally'] = {
      ...writeServices.tally,
      change: (change, ahead) =>
        change.owner === '5' ? Promise.reject(new Error('gone')) : writeServices.tally.change(change, ahead),
    };
    return setShared({ ...writeServices, tally }, original, '5', false);
  });
  await expect(unsharing).rejects.toThrow('gone');
  expect(await tweetCountOf('user5')).toBe(before + 1);
  await act(server, '5', 'unshareTweet', { id: target.id });
  expect(await tweetCountOf('user5')).toBe(before);
  await settled(server);
});

test('who unshares again, after the batch of the removal failed and was applied in part, sees it at once', async () => {
  const target = await post(server, '4', { content: 'shared' });
  const before = await tweetCountOf('user5');
  await act(server, '5', 'shareTweet', { id: target.id });
  const [original] = await readMany(server.database, tweets.get, [{ tweetId: target.tweetId }]);
  if (original == null) throw new Error('the tweet must be stored');
  const unsharing = leave((writeServices) => {
    const { database } = writeServices;
    const batch: typeof database.batch = async (writes, options) => {
      await database.batch(
        writes.filter(({ query }) => query.startsWith('DELETE FROM tweets USING')),
        options,
      );
      throw new Error('gone');
    };
    return setShared(
      { ...writeServices, database: Object.assign(Object.create(database), { batch }) as typeof database },
      original,
      '5',
      false,
    );
  });
  await expect(unsharing).rejects.toThrow('gone');
  expect(await tweetCountOf('user5')).toBe(before + 1);
  await act(server, '5', 'unshareTweet', { id: target.id });
  expect(await tweetCountOf('user5')).toBe(before);
  expect(await sharesIt('5', target.id)).toBe(false);
  await settled(server);
});
