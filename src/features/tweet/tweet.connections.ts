import type { Context } from '../../context';
import type { TableBound } from '../../kit/cost/reads';
import { listBuckets } from '../../kit/lists/list-buckets';
import type { Load } from '../../kit/reads/load';
import { connection, edge, type Variant } from '../../kit/lists/connection-field';
import type { SeenPlace } from '../hidden/may-show';
import { connectMostLiked, mostLikedBase, mostLikedCost } from './top-list';
import { topOfAuthor, topRows, type TopSources } from './top-reading';
import { TweetOrder, TweetOrderArgs } from './tweet-order';
import { blockedReplies } from './blocked-replies';
import { byOrder, growthOf } from './tweet-reads';
import { quotesByTweet, repliesByTweet, sharersByTweet, tweetsByAuthor } from './tweet.lists';
import { topRepliesByTweet, topTweetsByAuthor, type TweetRow } from './tweet.table';

/** The order MOST_LIKED of a list, by the table with the most liked tweets of each owner. */
function mostLiked(
  field: string,
  place: SeenPlace,
  list: typeof tweetsByAuthor | typeof repliesByTweet,
  table: { readonly name: string; readonly rowBytes: number },
  top: TopSources<never>['top'],
): Variant<TweetRow, Context, TweetOrderArgs> {
  return {
    args: TweetOrderArgs,
    reads: (newest: readonly TableBound[]) => byOrder(newest, [table, list, listBuckets]),
    page(context, ownerId, args, hidden) {
      if (args.order === TweetOrder.NEWEST) return undefined;
      const prepare = async () => ({
        hidden,
        sources: {
          name: `${table.name} ${ownerId}`,
          owners: async () => [ownerId],
          top,
          newest: async (limited: Load) => list.list(limited, ownerId),
          tweetOf: async (_load: Load, tweet: TweetRow) => tweet,
          sortedPerItem: 4,
        },
      });
      const growth = growthOf(context, field, mostLikedBase(args));
      return connectMostLiked(context, place, args, prepare, mostLikedCost(args), growth);
    },
  };
}

/** The fields that show tweets of an author, replies, quotes, and who shares a tweet. */
export const tweetConnections = [
  connection(tweetsByAuthor, 'tweets', {
    description: 'What the user posted: tweets, replies, quotes and shares.',
    place: 'DIRECT',
    variant: mostLiked('User.tweets', 'DIRECT', tweetsByAuthor, topTweetsByAuthor, topOfAuthor),
  }),
  connection(repliesByTweet, 'replies', {
    description:
      'The replies to the tweet; for a share, those to its original. Replies by people whom the author of the tweet blocks are shown only to those who wrote them.',
    place: 'THREAD',
    hiding: blockedReplies,
    variant: mostLiked(
      'Tweet.replies',
      'THREAD',
      repliesByTweet,
      topRepliesByTweet,
      (load, inReplyToId, slice) => topRows(load(topRepliesByTweet.page, { inReplyToId, ...slice }), slice),
    ),
  }),
  connection(quotesByTweet, 'quotes', {
    description: 'The tweets that quote the tweet, newest first; for a share, those that quote its original.',
    place: 'THREAD',
  }),
  connection(sharersByTweet, 'sharers', {
    description:
      'The users who share the tweet, newest share first, then by id descending; for a share, those who share its original.',
    edge: edge('Sharer', { sharedAt: 'When the user shared the tweet.' }, 'The user who shares the tweet.'),
  }),
];
