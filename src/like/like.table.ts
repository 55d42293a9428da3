import { id, timestamp } from '../kit/cassandra/column';
import { listTable } from '../kit/cassandra/table';

/** The users who like a tweet, newest like first. */
export const likesByTweet = listTable(
  'likes_by_tweet',
  { tweetId: id, likedAt: timestamp, userId: id },
  { owner: 'tweetId', clustering: ['likedAt', 'userId'] },
);

/** The tweets that a user likes, newest like first. */
export const likesByUser = listTable(
  'likes_by_user',
  { userId: id, likedAt: timestamp, tweetId: id },
  { owner: 'userId', clustering: ['likedAt', 'tweetId'] },
);
