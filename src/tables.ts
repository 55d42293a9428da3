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

/** The tables of each feature. */
export const features = {
  People: [users, usersByUsername, usersByTwitterAccount, userCounts, usersByIdentity],
  Follows: [followersByUser, followingByUser, relations],
  Timelines: [timelinesByUser, pulledByUser, fanoutModes],
  Tweets: [
    tweets,
    tweetCounts,
    tweetsByAuthor,
    topTweetsByAuthor,
    tweetsByDay,
    repliesByTweet,
    topRepliesByTweet,
    sharesByTweet,
    rawTweets,
    deletedTweets,
    deletedByAuthor,
  ],
  Likes: [likesByTweet, likesByUser],
  Search: [tweetsByWord, topTweetsByWord],
  Hashtags: [tweetsByHashtag, topTweetsByHashtag, hashtagsByHour],
  Rankings: [rankings, rankingPairs, topUsers],
  Frequency: [tweetFrequency, tweetsByMinute],
  Map: [tweetsByArea],
  News: [
    articles,
    articlesByDay,
    articlesByUser,
    articleCounts,
    comments,
    commentsByArticle,
    authorCommentsByArticle,
    commentsByDay,
    commentsByAuthor,
  ],
  'Lists and counts': [buckets, tallies],
  'Work under way': [
    outbox,
    outboxWindows,
    workers,
    leases,
    idempotencyKeys,
    importedCounts,
    unsettledImports,
  ],
};

/** Every declared table; a test holds them against what `cql/` creates. */
export const tables = Object.values(features).flat();
