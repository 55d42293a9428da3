import { followersByUser, followingByUser } from '../../src/follow/follow.lists';
import { removalOf, writeOf } from '../../src/kit/data/write';
import { likesByTweet, likesByUser } from '../../src/like/like.lists';
import { timelinesByUser } from '../../src/timeline/timeline.lists';
import { repliesByTweet, tweetsByAuthor } from '../../src/tweet/tweet.lists';
import { DAY_SHARDS, tweets, tweetsByDay } from '../../src/tweet/tweet.table';
import { day, idOf, momentOf, ofUser, ORIGINAL, OWNER, tweetRow, type Listed } from './items';

const ofTweet = (field: string, key: string) => (page: string) =>
  ofUser(field, key)(page).replace('user(username: "ada")', `user: tweet(tweetId: "${ORIGINAL}")`);

const timeline = {
  field: 'User.timeline',
  ask: ofUser('timeline', 'tweetId'),
  put: (n: number) => [writeOf(timelinesByUser, { userId: OWNER, ...tweetRow(n, '2') })],
  remove: (n: number) => [removalOf(timelinesByUser, { userId: OWNER, tweetId: idOf(n) })],
};

const ofAuthor = (authorId: string) => ({
  put: (n: number) => [writeOf(tweetsByAuthor, { ...tweetRow(n, authorId) })],
  remove: (n: number) => [removalOf(tweetsByAuthor, { authorId, tweetId: idOf(n) })],
});

const pulled = ofAuthor('3');

const shard = (n: number) => ({ shard: Number(idOf(n)) % DAY_SHARDS });

/** The lists of people and of tweets. */
export const networkLists: readonly Listed[] = [
  {
    field: 'User.followers',
    ask: ofUser('followers', 'userId'),
    put: (n) => [writeOf(followersByUser, { userId: OWNER, followedAt: momentOf(n), followerId: idOf(n) })],
    remove: (n) => [
      removalOf(followersByUser, {
        userId: OWNER,
        followedAt: momentOf(n),
        followerId: idOf(n),
      }),
    ],
  },
  {
    field: 'User.following',
    ask: ofUser('following', 'userId'),
    put: (n) => [writeOf(followingByUser, { userId: OWNER, followedAt: momentOf(n), followeeId: idOf(n) })],
    remove: (n) => [
      removalOf(followingByUser, {
        userId: OWNER,
        followedAt: momentOf(n),
        followeeId: idOf(n),
      }),
    ],
  },
  { field: 'User.tweets', ask: ofUser('tweets', 'tweetId'), ...ofAuthor(OWNER) },
  timeline,
  {
    // Every third is a row of the timeline, the others are merged in from an author's; one in six is in both.
    ...timeline,
    field: 'User.timeline of pulled authors',
    put: (n) => [...(n % 3 === 0 ? timeline.put(n) : []), ...(n % 6 === 0 || n % 3 > 0 ? pulled.put(n) : [])],
    remove: (n) => [...timeline.remove(n), ...pulled.remove(n)],
  },
  {
    field: 'Query.tweetsOfDay',
    ask: (page) =>
      `{ list: tweetsOfDay(day: "${day.day}", ${page}) { edges { cursor node { key: tweetId } } nodes { key: tweetId } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
    put: (n) => [writeOf(tweetsByDay, { ...day, ...shard(n), ...tweetRow(n, '2') })],
    remove: (n) => [removalOf(tweetsByDay, { ...day, ...shard(n), tweetId: idOf(n) })],
  },
  {
    field: 'User.likes',
    ask: ofUser('likes', 'tweetId'),
    put: (n) => [
      writeOf(tweets, tweetRow(n, '2')),
      writeOf(likesByUser, { userId: OWNER, likedAt: momentOf(n), tweetId: idOf(n) }),
    ],
    // Now and then it is the tweet that is gone, with the like still on its way out.
    remove: (n) =>
      n % 3 === 0
        ? [removalOf(tweets, { tweetId: idOf(n) })]
        : [removalOf(likesByUser, { userId: OWNER, likedAt: momentOf(n), tweetId: idOf(n) })],
  },
  {
    field: 'Tweet.likers',
    ask: ofTweet('likers', 'userId'),
    put: (n) => [writeOf(likesByTweet, { tweetId: ORIGINAL, likedAt: momentOf(n), userId: idOf(n) })],
    remove: (n) => [removalOf(likesByTweet, { tweetId: ORIGINAL, likedAt: momentOf(n), userId: idOf(n) })],
  },
  {
    field: 'Tweet.replies',
    ask: ofTweet('replies', 'tweetId'),
    put: (n) => [writeOf(repliesByTweet, { ...tweetRow(n, '2'), inReplyToId: ORIGINAL })],
    remove: (n) => [removalOf(repliesByTweet, { inReplyToId: ORIGINAL, tweetId: idOf(n) })],
  },
];
