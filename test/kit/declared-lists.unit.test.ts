import { followIn, followLists } from '../../src/features/follow/follow.lists';
import { timestamp } from '../../src/kit/cassandra/column';
import type { AnyTable, Columns } from '../../src/kit/cassandra/table';
import type { Write } from '../../src/kit/cassandra/database';
import { connection, edge } from '../../src/kit/lists/connection-field';
import { list } from '../../src/kit/lists/list';
import { ref } from '../../src/kit/lists/node';
import { derivationOf, removalsFrom, writesFrom } from '../../src/kit/lists/source';
import { like, likeLists, likesByTweet, likesByUser } from '../../src/features/like/like.lists';
import { tweetLists } from '../../src/features/tweet/tweet.lists';
import { user } from '../../src/features/user/user.node';

const moment = new Date(0);

/** The rows that writes store, by the names of their tables. */
function rowsIn(
  tables: readonly AnyTable[],
  writes: readonly Write[],
): (readonly [string | undefined, object])[] {
  return writes.map(({ query, params }) => {
    const table = tables.find(({ put, putAt }) => [put, putAt].includes(query));
    const names = Object.keys(table?.columns ?? {});
    const row: Record<string, unknown> = {};
    for (const [index, name] of names.entries()) if (params[index] !== undefined) row[name] = params[index];
    return [table?.name, row] as const;
  });
}

test('a fact has a row in each list, by the names that the list gives its values', () => {
  const follow = followIn('7', '8', { since: moment, at: new Date(5), version: 3 });
  expect(rowsIn(followLists, writesFrom(followLists, follow ?? {}))).toEqual([
    ['followers_by_user', { userId: '8', followedAt: moment, followerId: '7', version: 3 }],
    ['following_by_user', { userId: '7', followedAt: moment, followeeId: '8' }],
  ]);
});

test('a fact has no row in a list for whose key it has no value', () => {
  const ofNone = { inReplyToId: null, quotedTweetId: null };
  const tweet = { tweetId: '5', authorId: '7', createdAt: moment, ...ofNone, sharedTweetId: '4' };
  expect(rowsIn(tweetLists, writesFrom(tweetLists, tweet)).map(([name]) => name)).toEqual([
    'tweets_by_author',
    'tweets_by_day',
    'shares_by_tweet',
    'sharers_by_tweet',
    'engagements_by_user',
  ]);
  expect(removalsFrom(tweetLists, tweet, 1)).toHaveLength(5);
});

test('a membership gives the writes that make lists agree with it', () => {
  const at = new Date(9);
  const added = like.writes(likeLists, '5', '7', { present: true, since: moment, at });
  expect(rowsIn(likeLists, added)).toEqual([
    ['likes_by_tweet', { tweetId: '5', likedAt: moment, userId: '7' }],
    ['likes_by_user', { tweetId: '5', likedAt: moment, userId: '7' }],
    ['engagements_by_user', { userId: '7', tweetId: '5', shareId: '0' }],
  ]);
  const removed = like.writes(likeLists, '5', '7', { present: false, since: moment, at });
  expect(removed.map(({ query, params }) => [query, params[0]])).toEqual(
    likeLists.map(({ removeAt }) => [removeAt, '9000']),
  );
  expect(like.writes(likeLists, '5', '7', { present: false, since: null, at: null })).toEqual([]);
});

test('a row of a list tells the key of its fact, whichever list it is', () => {
  const likes = { tweetId: '5', userId: '7', likedAt: moment };
  for (const one of likeLists) expect(derivationOf(one).sourceKeyOf(likes)).toBe('5 7');
  const [followers, following] = followLists;
  expect(derivationOf(followers).sourceKeyOf({ userId: '8', followerId: '7' })).toBe('7 8');
  expect(derivationOf(following).sourceKeyOf({ userId: '7', followeeId: '8' })).toBe('7 8');
});

test('the same page of a list has the same name, and so the same cursors, wherever it is read', () => {
  const load = Object.assign(() => Promise.reject(new Error('There must be no read.')), {
    forget: () => undefined,
    within: <T>(work: Promise<T>) => work,
  });
  expect(likesByTweet.list(load, '5').name).toBe('likes_by_tweet 5');
  expect(likesByTweet.open({ load }, '5').list.name).toBe('likes_by_tweet 5');
});

test('a list must have one owner, and end with what its rows stand for', () => {
  const refuse = (name: string) =>
    `${name} must have one owner, and an order that ends with what its rows stand for.`;
  const order: Columns = { since: timestamp };
  expect(() => list('none', { owner: {}, order: { userId: ref(user) } })).toThrow(refuse('none'));
  expect(() => list('moments', { owner: { userId: ref(user) }, order })).toThrow(refuse('moments'));
});

test('an edge tells columns of the list only', () => {
  const declare = () =>
    connection(likesByUser, 'wrong', {
      description: '',
      // @ts-expect-error Likes have no such column.
      edge: edge('Wrong', { followedAt: 'When?' }),
    });
  expect(declare).toBeDefined();
});
