import { timestamp } from '../../kit/cassandra/column';
import { connection, edge } from '../../kit/lists/connection-field';
import { list } from '../../kit/lists/list';
import { ref } from '../../kit/lists/node';
import { membership } from '../../kit/lists/source';
import { tweet } from '../tweet/tweet.node';
import { engagementsByUser, LIKED } from '../tweet/engagement.table';
import { tweets } from '../tweet/tweet.table';
import { user } from '../user/user.node';

/** The likes of existing tweets. The tallies of a deleted tweet stay if its id is also a user's. */
export const like = membership('likes', { owner: 'tweetId', member: 'userId', since: 'likedAt' }, tweets.get);

/** The users who like a tweet, newest like first. */
export const likesByTweet = list('likes_by_tweet', {
  writeLoad: { rows: { like: 1 }, bytes: 40, spread: { over: 'subjects' } },
  owner: { tweetId: ref(tweet) },
  order: { likedAt: timestamp, userId: ref(user) },
  from: like,
});

/** The tweets that a user likes, newest like first. */
export const likesByUser = list('likes_by_user', {
  writeLoad: { rows: { like: 1 }, bytes: 40, spread: { over: 'people' } },
  owner: { userId: ref(user) },
  order: { likedAt: timestamp, tweetId: ref(tweet) },
  from: like,
});

/** The same without their order, to find those of some tweets. */
export const likedTweets = { ...engagementsByUser, owner: 'userId', from: like.as({}, { shareId: LIKED }) };

/** The lists that have a row of each like. */
export const likeLists = [likesByTweet, likesByUser, likedTweets] as const;

/** The fields that show likes. */
export const likeConnections = [
  connection(likesByTweet, 'likers', {
    description:
      'The users who like the tweet, newest like first, then by id descending; for a share, those who like its original. Likes that an import knows only as a number are counted and not listed.',
    edge: edge('Like', { likedAt: 'When the user liked the tweet.' }, 'The user who likes the tweet.'),
  }),
  connection(likesByUser, 'likes', {
    description:
      'The tweets that the user likes, newest like first, then by id descending. Likes that an import knows only as a number are counted and not listed.',
  }),
];
