import { followersByUser, followingByUser, pulledByUser } from './follow/follow.table';
import { importedCounts, unsettledImports } from './import/store/import.table';
import { buckets } from './kit/relay/buckets';
import { timelinesByUser } from './timeline/timeline.table';
import {
  rawTweets,
  repliesByTweet,
  shares,
  sharesByTweet,
  tweetCounts,
  tweets,
  tweetsByAuthor,
  tweetsByDay,
} from './tweet/tweet.table';
import { usersByIdentity } from './viewer/viewer.table';
import { userCounts, users, usersByTwitterAccount, usersByUsername } from './user/user.table';

/** Every declared table; a test holds them against what `cql/` creates. */
export const tables = [
  users,
  usersByUsername,
  usersByTwitterAccount,
  userCounts,
  usersByIdentity,
  buckets,
  followersByUser,
  followingByUser,
  pulledByUser,
  tweets,
  tweetCounts,
  rawTweets,
  tweetsByAuthor,
  tweetsByDay,
  repliesByTweet,
  sharesByTweet,
  shares,
  timelinesByUser,
  importedCounts,
  unsettledImports,
];
