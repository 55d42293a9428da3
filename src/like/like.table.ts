import { id, int, timestamp } from '../kit/cassandra/column';
import { table } from '../kit/cassandra/table';

/** The users who like a tweet, newest like first; a partition is a day. */
export const likesByTweet = table(
  'likes_by_tweet',
  { tweetId: id, bucket: int, likedAt: timestamp, userId: id },
  { partition: ['tweetId', 'bucket'], clustering: ['likedAt', 'userId'] },
);

/** The tweets that a user likes, newest like first; a partition is a month. */
export const likesByUser = table(
  'likes_by_user',
  { userId: id, bucket: int, likedAt: timestamp, tweetId: id },
  { partition: ['userId', 'bucket'], clustering: ['likedAt', 'tweetId'] },
);
