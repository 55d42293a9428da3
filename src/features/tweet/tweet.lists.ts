import { idOf, timestamp } from '../../kit/cassandra/column';
import { list } from '../../kit/lists/list';
import { dayList } from '../../kit/lists/day-list';
import { ref } from '../../kit/lists/node';
import { stored } from '../../kit/lists/source';
import { user } from '../user/user.node';
import { engagementsByUser } from './engagement.table';
import { isNewTweet } from './new-tweet';
import { tweet } from './tweet.node';
import { deletedTweets, tweetColumns, tweets, type TweetRow } from './tweet.table';

const posted = stored(tweets, isNewTweet);

/** An author's tweets, newest first. Servers keep pages of them, because many readers ask for the authors whom many follow. */
export const tweetsByAuthor = list('tweets_by_author', {
  writeLoad: { rows: { tweet: 1 }, bytes: 200, spread: { over: 'people' } },
  owner: { authorId: ref(user) },
  order: { tweetId: idOf('Tweet') },
  holds: tweet,
  from: posted,
  cached: { absence: true, isLarge: true },
});

/** A day's tweets, newest first. A partition may come to 150,000 rows, 30 MB. */
export const tweetsByDay = dayList('tweets_by_day', tweetColumns, {
  writeLoad: { rows: { tweet: 1 }, bytes: 195 },
  moment: 'createdAt',
  order: 'tweetId',
  shards: 16,
  fullRows: 50_000,
  from: posted,
});

/** The replies to a tweet, newest first. */
export const repliesByTweet = list('replies_by_tweet', {
  writeLoad: { rows: { reply: 1 }, bytes: 200, spread: { over: 'subjects' } },
  owner: { inReplyToId: ref(tweet) },
  order: { tweetId: idOf('Tweet') },
  holds: tweet,
  from: posted,
});

/** The shares of a tweet. */
export const sharesByTweet = list('shares_by_tweet', {
  writeLoad: { rows: { share: 1 }, bytes: 40, spread: { over: 'subjects' } },
  owner: { sharedTweetId: ref(tweet) },
  order: { tweetId: ref(tweet) },
  also: { authorId: idOf('User') },
  from: posted,
});

/** The users who share a tweet, newest share first. */
export const sharersByTweet = list('sharers_by_tweet', {
  writeLoad: { rows: { share: 1 }, bytes: 45, spread: { over: 'subjects' } },
  owner: { tweetId: ref(tweet) },
  order: { sharedAt: timestamp, userId: ref(user) },
  also: { shareId: ref(tweet) },
  from: posted.as({
    tweetId: 'sharedTweetId',
    sharedAt: 'createdAt',
    userId: 'authorId',
    shareId: 'tweetId',
  }),
});

/** The tweets that a user shares, to find those of some tweets. */
export const sharedTweets = {
  ...engagementsByUser,
  owner: 'userId',
  from: posted.as({ userId: 'authorId', tweetId: 'sharedTweetId', shareId: 'tweetId' }),
};

/** The tweets that quote a tweet, newest first. */
export const quotesByTweet = list('quotes_by_tweet', {
  writeLoad: { rows: { quote: 1 }, bytes: 200, spread: { over: 'subjects' } },
  owner: { quotedTweetId: ref(tweet) },
  order: { tweetId: idOf('Tweet') },
  holds: tweet,
  from: posted,
});

/** The tweets that an author deleted. */
export const deletedByAuthor = list('deleted_by_author', {
  writeLoad: { rows: { deletion: 1 }, bytes: 30, spread: { over: 'people' } },
  owner: { authorId: ref(user) },
  order: { tweetId: ref(tweet) },
  also: { createdAt: timestamp },
  from: stored(deletedTweets),
});

/** The deleted replies to a tweet, newest first: in large conversations they lead to the replies below them. */
export const deletedReplies = list('deleted_replies_by_tweet', {
  writeLoad: { rows: { deletion: 1 }, bytes: 35, spread: { over: 'subjects' } },
  owner: { inReplyToId: ref(tweet) },
  order: { tweetId: ref(tweet) },
  from: stored(deletedTweets),
});

/** The lists that have a row of each tweet: of its author and its day, and of what it replies to, shares or quotes. */
export const tweetLists = [
  tweetsByAuthor,
  tweetsByDay,
  repliesByTweet,
  sharesByTweet,
  sharersByTweet,
  sharedTweets,
  quotesByTweet,
] as const;

/** The position of a tweet in lists that are in descending order of id. */
export function tweetPosition({ tweetId }: Pick<TweetRow, 'tweetId'>): readonly string[] {
  return [tweetId];
}
