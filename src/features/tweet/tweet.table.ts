import {
  flag,
  geoPoint,
  holding,
  id,
  idOf,
  int,
  label,
  optional,
  text,
  texts,
  timestamp,
} from '../../kit/cassandra/column';
import { isHeldIn } from '../../kit/base/ids';
import { cacheable, getStatement, type Statement } from '../../kit/cassandra/statement';
import { table, type Row, type RowOf } from '../../kit/cassandra/table';
import { hasUser } from './record-user-ids';

/** The greatest size of the text of a tweet in bytes: 10,000 characters of an import. Tweets that are posted here are much shorter. */
export const MAX_CONTENT_BYTES = 40_000;
/** Hashtags and mentions are parts of the text, so both together have at most as many bytes. */
const MAX_PARTS_BYTES = MAX_CONTENT_BYTES / 2;
/** The greatest size of the record of a tweet in bytes. */
export const MAX_RAW_BYTES = 1024 * 1024;

/** The greatest size of the name of a country in bytes. */
export const MAX_COUNTRY_BYTES = 2000;
/** The registered primary subtag of a language, which has at most eight letters, or `und`. */
export const language = text(8);

/** The columns of a tweet, which only an import changes. Every list of tweets has all of them, so that a page is one partition. */
export const tweetColumns = {
  tweetId: idOf('Tweet'),
  authorId: idOf('User'),
  content: text(MAX_CONTENT_BYTES),
  createdAt: timestamp,
  language,
  location: optional(geoPoint(MAX_COUNTRY_BYTES)),
  hashtags: texts(MAX_PARTS_BYTES),
  mentions: texts(MAX_PARTS_BYTES),
  inReplyToId: optional(idOf('Tweet')),
  sharedTweetId: optional(idOf('Tweet')),
  quotedTweetId: optional(idOf('Tweet')),
  /** The author of the shared tweet, so that lists know without a read whether that is hidden; null while an import has not brought it. */
  sharedAuthorId: optional(idOf('User')),
};

/** A tweet as each list has it. */
export type TweetRow = RowOf<typeof tweetColumns>;

/**
 * A tweet, by id. `rootId` is where its conversation begins: itself unless it is a reply; null for shares, which are in no conversation.
 * Lists leave it out, because an import may settle it later, and pages of timelines would have to be written again.
 */
export const tweets = table(
  'tweets',
  { ...tweetColumns, rootId: optional(idOf('Tweet')) },
  {
    role: {
      kind: 'partly derived',
      why: 'where a conversation begins and whose tweet is shared follow from other tweets, and deleted_tweets says which must not be here; the rest is truth',
    },
    writeLoad: { rows: { tweet: 1 }, bytes: 220, spread: { over: 'acts' } },
    partition: ['tweetId'],
  },
);

/** The links of a tweet to others: the tweet that it replies to or shares, the author of the shared one, and the root of its conversation. */
export const tweetLinks = table(
  'tweets',
  {
    tweetId: idOf('Tweet'),
    authorId: idOf('User'),
    inReplyToId: tweetColumns.inReplyToId,
    sharedTweetId: tweetColumns.sharedTweetId,
    sharedAuthorId: tweetColumns.sharedAuthorId,
    rootId: optional(idOf('Tweet')),
  },
  { partition: ['tweetId'] },
);

/** A tweet as it is stored by its id. */
export type StoredTweet = Row<typeof tweets>;

/** A tweet's counts: the imported numbers (`imported…`), and what mutations have added or removed since. */
export const tweetCounts = table(
  'tweet_counts',
  {
    tweetId: idOf('Tweet'),
    importedLikes: optional(int),
    importedShares: optional(int),
    importedReplies: optional(int),
    importedQuotes: optional(int),
    likes: optional(int),
    shares: optional(int),
    replies: optional(int),
    quotes: optional(int),
  },
  {
    writeLoad: { rows: { like: 1, share: 1, reply: 1, quote: 1 }, bytes: 40, spread: { over: 'subjects' } },
    partition: ['tweetId'],
  },
);

/** Reads counts to show them, perhaps as they were a moment ago. A tweet without a row has no likes. */
export const cachedTweetCounts = cacheable(tweetCounts.get, { absence: true });

/** The deleted tweets, with what is needed to remove them from lists and counts. `authorId` is forgotten when the author's account is deleted. */
export const deletedTweets = table(
  'deleted_tweets',
  {
    tweetId: idOf('Tweet'),
    authorId: optional(idOf('User')),
    createdAt: timestamp,
    inReplyToId: optional(idOf('Tweet')),
    sharedTweetId: optional(idOf('Tweet')),
    quotedTweetId: optional(idOf('Tweet')),
    imported: optional(flag),
    language: optional(language),
    rootId: optional(idOf('Tweet')),
  },
  {
    role: { kind: 'truth', why: 'it says which tweets were deleted' },
    writeLoad: { rows: { deletion: 1 }, bytes: 60, spread: { over: 'acts' } },
    partition: ['tweetId'],
  },
);

/** How many tweets a row of invalidations has at most. */
export const TWEETS_PER_ROW = 80;
/** How many such rows of a minute are read: 24,000 tweets. If there are more, nothing that is cached can be trusted. */
export const MAX_INVALIDATIONS_READ = 300;

/**
 * The tweets that were deleted in a minute, whose shares were still being removed then, or that an import has changed. `minute` counts
 * minutes since 1970. Each server gathers those of a minute in few rows, which expire after four minutes: longer than they are read.
 */
export const tweetInvalidations = table(
  'tweet_invalidations',
  { minute: int, server: label, part: int, tweetIds: holding(texts(TWEETS_PER_ROW * id.maxBytes), 'Tweet') },
  {
    role: { kind: 'transient', why: 'its rows expire after some minutes' },
    writeLoad: {
      // A server writes at least one row in a minute.
      rows: { deletion: 1 / TWEETS_PER_ROW, server: 1 / 60 },
      bytes: 1700,
      spread: { over: 'time', seconds: 60 },
      keptSeconds: 240,
      reads: { everySeconds: 2, seconds: 120, most: MAX_INVALIDATIONS_READ },
    },
    partition: ['minute'],
    clustering: ['server', 'part'],
    order: 'asc',
  },
);

/** Reads the deletions of a minute, perhaps as they were a moment ago. A minute without rows has none. */
export const cachedInvalidations = cacheable(tweetInvalidations.page, { absence: true });

/** The record that a tweet was imported from, as JSON text, and the counts that its source gave. */
export const rawTweets = table(
  'raw_tweets',
  {
    tweetId: idOf('Tweet'),
    raw: {
      ...holding(text(MAX_RAW_BYTES), 'User', 'Tweet'),
      holds: (value: unknown, id: string, type: string) =>
        type === 'User' ? hasUser(String(value), id) : isHeldIn(value, id),
    },
    importedLikes: optional(int),
    importedShares: optional(int),
    importedReplies: optional(int),
    importedQuotes: optional(int),
  },
  {
    role: { kind: 'truth', why: 'it holds the imported records and their counts' },
    writeLoad: { rows: { importedTweet: 1 }, bytes: 3000, spread: { over: 'acts' } },
    partition: ['tweetId'],
  },
);

const { raw: _raw, ...countColumns } = rawTweets.columns;

/** The counts that the source of a tweet gave; null where it gave none. */
export type GivenCounts = RowOf<typeof countColumns>;

/** Reads `raw_tweets` without the record, which may be long: null for a tweet that no import brought. */
export const countsOfRecord: Statement<{ tweetId: string }, GivenCounts | null> = getStatement({
  ...rawTweets,
  columns: countColumns,
});

const topColumns = { magnitude: int, tweetId: idOf('Tweet'), createdAt: timestamp };

/** An author's liked tweets, most liked first: see `magnitudeOf`. */
export const topTweetsByAuthor = table(
  'top_tweets_by_author',
  { authorId: idOf('User'), ...topColumns },
  {
    writeLoad: { rows: { likedEntry: 1 }, bytes: 30, spread: { over: 'people' } },
    partition: ['authorId'],
    clustering: ['magnitude', 'tweetId'],
    writtenNow: true,
  },
);

/** Reads the same to show them, perhaps as they were a moment ago: many timelines ask for the authors whom many follow. */
export const cachedTopTweetsByAuthor = cacheable(topTweetsByAuthor.page, { absence: true, isLarge: true });

/** The liked replies to a tweet, most liked first: see `magnitudeOf`. */
export const topRepliesByTweet = table(
  'top_replies_by_tweet',
  { inReplyToId: idOf('Tweet'), ...topColumns },
  {
    writeLoad: { rows: { reply: 1 }, bytes: 30, spread: { over: 'subjects' } },
    partition: ['inReplyToId'],
    clustering: ['magnitude', 'tweetId'],
    writtenNow: true,
  },
);

/** Returns the root of a tweet's conversation, which may be a share that an import had replies to. */
export function rootOf({ tweetId, rootId }: Pick<StoredTweet, 'tweetId' | 'rootId'>): string {
  return rootId ?? tweetId;
}

/** The columns of counts: those that mutations change, with those of the imported numbers. */
const IMPORTED = {
  likes: 'importedLikes',
  shares: 'importedShares',
  replies: 'importedReplies',
  quotes: 'importedQuotes',
} as const;

/**
 * Returns a count of a tweet: the imported number, plus the changes by mutations. The sum may be less than nothing, because a source may
 * have given a lower number than rows, which were deleted here.
 */
export function countIn(counts: Row<typeof tweetCounts> | null, counted: keyof typeof IMPORTED): number {
  return Math.max(0, (counts?.[IMPORTED[counted]] ?? 0) + (counts?.[counted] ?? 0));
}

/** How many likes a tweet has. */
export function likesIn(counts: Row<typeof tweetCounts> | null): number {
  return countIn(counts, 'likes');
}
