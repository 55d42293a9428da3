import { followersByUser, followingByUser, pulledByUser } from '../follow/follow.table';
import { pairOf } from '../follow/relation';
import { tweetsByMinute } from '../frequency/frequency.table';
import { hashtagsByHour, MAX_TREND_WINDOW_MS } from '../hashtag/hashtag.table';
import { buckets } from '../kit/data/buckets';
import { isShard, otherPartitionOf } from '../kit/data/shards';
import { timeOfId } from '../kit/base/snowflake';
import { likesByTweet, likesByUser } from '../like/like.table';
import { tweetsByArea } from '../map/map.table';
import {
  articleCounts,
  articlesByDay,
  articlesByUser,
  authorCommentsByArticle,
  commentsByArticle,
  commentsByAuthor,
  commentsByDay,
} from '../news/news.table';
import { topTweetsByHashtag, topTweetsByWord, tweetsByHashtag, tweetsByWord } from '../search/term.table';
import { monthOfBucket } from '../timeline/parts';
import { secondsLeft } from '../timeline/retention';
import { timelinesByUser } from '../timeline/timeline.table';
import {
  deletedByAuthor,
  repliesByTweet,
  sharesByTweet,
  topRepliesByTweet,
  topTweetsByAuthor,
  tweetsByAuthor,
  tweetsByDay,
} from '../tweet/tweet.table';
import { topUsers } from '../user/user.table';
import type { Derived } from './examine';
import { nameTables } from './names';
import {
  articleSource,
  commentCountSource,
  commentSource,
  deletedSource,
  followerCountSource,
  likeSource,
  rankingSource,
  relationSource,
  shardSource,
  tweetSource,
} from './sources';
import type { AnyTable, StoredRow } from './stored';
import { timelineSource } from './timeline-source';

/** How long, in milliseconds, the rows of a new tweet may take to appear: nodes replay unfinished logged batches every minute. */
const MAX_BATCH_DELAY_MS = 5 * 60_000;

function textOf(row: StoredRow, ...properties: readonly string[]): string {
  return properties.map((property) => String(row[property])).join(' ');
}

/** Whether a row belongs to a tweet that was posted a moment ago, whose source may not be stored yet. */
function isNew(row: StoredRow): boolean {
  return Math.abs(Date.now() - Number(timeOfId(textOf(row, 'tweetId')))) < MAX_BATCH_DELAY_MS;
}

/** A list of tweets. */
function tweetList(table: AnyTable): Derived {
  return {
    table,
    sources: [tweetSource],
    askFor: (row) => textOf(row, 'tweetId'),
    isPassing: (_, row) => isNew(row),
  };
}

/** A list of the most liked tweets, in which rows of earlier magnitudes stay. */
function topList(table: AnyTable): Derived {
  return { ...tweetList(table), askFor: (row) => textOf(row, 'tweetId', 'magnitude') };
}

/** A list of the tweets with a term. A row is in the partition of its bucket or of a shard of it. */
function termList(table: AnyTable): Derived {
  const partitionOf = (row: StoredRow) => (isShard(Number(row['bucket'])) ? 'shards' : 'buckets');
  const magnitudeOf = (row: StoredRow) => (row['magnitude'] === undefined ? 'any' : textOf(row, 'magnitude'));
  return {
    ...tweetList(table),
    askFor: (row) => `${textOf(row, 'tweetId')} ${magnitudeOf(row)} ${partitionOf(row)}`,
    instead: (row) => ({ ...row, bucket: otherPartitionOf(Number(row['bucket']), textOf(row, 'tweetId')) }),
  };
}

function followList(table: AnyTable, other: string): Derived {
  return {
    table,
    sources: [relationSource],
    askFor: (row) => `${pairOf(textOf(row, 'userId'), textOf(row, other))} always`,
  };
}

function likeList(table: AnyTable): Derived {
  return { table, sources: [likeSource], askFor: (row) => textOf(row, 'tweetId', 'userId') };
}

const timelines: Derived = {
  table: timelinesByUser,
  sources: [timelineSource],
  askFor: (row) => textOf(row, 'tweetId', 'userId', 'bucket'),
  // When a relation becomes sharded, the rows that exist already stay in the bucket of their month.
  instead: (row) => ({ ...row, bucket: monthOfBucket(Number(row['bucket'])) }),
  isPassing: ({ retentionMonths }, row) =>
    isNew(row) || secondsLeft(row['createdAt'] as Date, retentionMonths) === null,
};

/** Rows older than the longest trend window are not read any more, and expire. */
const trends: Derived = {
  ...tweetList(hashtagsByHour),
  isPassing: (_, row) => isNew(row) || Date.now() - Number(row['createdAt']) > MAX_TREND_WINDOW_MS,
};

function articleList(table: AnyTable): Derived {
  return { table, sources: [articleSource], askFor: (row) => textOf(row, 'articleId') };
}

function commentList(table: AnyTable): Derived {
  return { table, sources: [commentSource], askFor: (row) => textOf(row, 'commentId') };
}

const lists: readonly Derived[] = [
  tweetList(tweetsByAuthor),
  tweetList(tweetsByDay),
  tweetList(repliesByTweet),
  tweetList(sharesByTweet),
  termList(tweetsByWord),
  termList(tweetsByHashtag),
  trends,
  tweetList(tweetsByArea),
  tweetList(tweetsByMinute),
  followList(followersByUser, 'followerId'),
  followList(followingByUser, 'followeeId'),
  { ...followList(pulledByUser, 'authorId'), own: ['sinceTurn'] },
  likeList(likesByTweet),
  likeList(likesByUser),
  { table: deletedByAuthor, sources: [deletedSource], askFor: (row) => textOf(row, 'tweetId') },
  timelines,
  ...[articlesByDay, articlesByUser].map(articleList),
  ...[commentsByArticle, authorCommentsByArticle, commentsByDay, commentsByAuthor].map(commentList),
];

const tops: readonly Derived[] = [
  topList(topTweetsByAuthor),
  topList(topRepliesByTweet),
  termList(topTweetsByWord),
  termList(topTweetsByHashtag),
  { table: topUsers, sources: [followerCountSource], askFor: (row) => textOf(row, 'userId', 'magnitude') },
];

/** The number of comments of each article. */
const commentCounts: Derived = {
  table: articleCounts,
  sources: [commentCountSource],
  askFor: (row) => textOf(row, 'articleId'),
};

/** The buckets of all lists. A bucket that has become empty stays, because servers cache which buckets they have written. */
const bucketLists: Derived = {
  table: buckets,
  sources: [
    tweetSource,
    relationSource,
    timelineSource,
    likeSource,
    deletedSource,
    rankingSource,
    articleSource,
    commentSource,
    ...[tweetsByWord, tweetsByHashtag, topTweetsByWord, topTweetsByHashtag].map(shardSource),
  ],
  askFor: (row) => textOf(row, 'owner'),
  holds: (_, rows) => {
    const names = new Set(['rankings', ...[...lists, ...tops].map(({ table }) => table.name)]);
    return Promise.resolve(rows.map((row) => names.has(textOf(row, 'list'))));
  },
};

/** The tables whose rows are each derived from rows of other tables, except those of `derivedFromCounts`. */
export const derivedRows: readonly Derived[] = [bucketLists, ...nameTables, ...lists, commentCounts];

/** The tables that are derived from counts, and so come after them. */
export const derivedFromCounts: readonly Derived[] = tops;
