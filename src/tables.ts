import { tweetFrequency, tweetsByMinute } from './frequency/frequency.table';
import { followersByUser, followingByUser, pulledByUser, relations } from './follow/follow.table';
import { importedCounts, unsettledImports } from './import/store/import.table';
import { idempotencyKeys } from './kit/idempotency';
import { outbox, outboxWindows } from './kit/outbox.table';
import { hashtagsByHour } from './hashtag/hashtag.table';
import { buckets } from './kit/relay/buckets';
import { leases } from './kit/lease';
import { tallies } from './kit/tally';
import { workers } from './kit/worker';
import { likesByTweet, likesByUser } from './like/like.table';
import { tweetsByArea } from './map/map.table';
import { topTweetsByHashtag, topTweetsByWord, tweetsByHashtag, tweetsByWord } from './search/term.table';
import { rankingPairs, rankings } from './ranking/ranking.table';
import {
  articleCounts,
  articles,
  articlesByDay,
  articlesByUser,
  authorCommentsByArticle,
  comments,
  commentsByArticle,
  commentsByAuthor,
  commentsByDay,
} from './news/news.table';
import { fanoutModes, timelinesByUser } from './timeline/timeline.table';
import {
  deletedByAuthor,
  deletedTweets,
  rawTweets,
  repliesByTweet,
  sharesByTweet,
  topRepliesByTweet,
  topTweetsByAuthor,
  tweetCounts,
  tweets,
  tweetsByAuthor,
  tweetsByDay,
} from './tweet/tweet.table';
import { usersByIdentity } from './viewer/viewer.table';
import { topUsers, userCounts, users, usersByTwitterAccount, usersByUsername } from './user/user.table';

/** Every declared table; a test holds them against what `cql/` creates. */
export const tables = [
  users,
  usersByUsername,
  usersByTwitterAccount,
  userCounts,
  topUsers,
  usersByIdentity,
  buckets,
  followersByUser,
  followingByUser,
  pulledByUser,
  relations,
  tweets,
  tweetCounts,
  rawTweets,
  tweetsByAuthor,
  tweetsByDay,
  repliesByTweet,
  sharesByTweet,
  topTweetsByAuthor,
  topRepliesByTweet,
  deletedTweets,
  deletedByAuthor,
  likesByTweet,
  likesByUser,
  timelinesByUser,
  fanoutModes,
  tallies,
  idempotencyKeys,
  outbox,
  outboxWindows,
  workers,
  tweetsByWord,
  topTweetsByWord,
  tweetsByHashtag,
  topTweetsByHashtag,
  hashtagsByHour,
  tweetsByArea,
  tweetFrequency,
  tweetsByMinute,
  rankings,
  rankingPairs,
  leases,
  importedCounts,
  unsettledImports,
  articles,
  articlesByDay,
  articlesByUser,
  articleCounts,
  comments,
  commentsByArticle,
  authorCommentsByArticle,
  commentsByDay,
  commentsByAuthor,
];
