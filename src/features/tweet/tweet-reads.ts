import type { Growth } from '../../kit/cost/limit-load';
import type { Context } from '../../context';
import { FREE } from '../../kit/cost/cost';
import { visibilityReads, furtherChecks } from '../../kit/lists/page-bounds';
import {
  oncePerRequest,
  rowsOf,
  showing,
  together,
  upTo,
  type Sized,
  type TableBound,
} from '../../kit/cost/reads';
import type { Cost } from '../../kit/cost/cost';
import type { ConnectionArguments } from '../../kit/input/page-args';
import { MINUTES_READ } from './tweet-invalidations';
import { mostLikedBase } from './top-list';
import { TweetOrder } from './tweet-order';
import {
  deletedTweets,
  MAX_INVALIDATIONS_READ,
  tweetInvalidations,
  tweetCounts,
  tweets,
} from './tweet.table';

/** The reads of a tweet by its id. For a share, they include whether the original was deleted. */
export const TWEET_BY_ID = [rowsOf(tweets), rowsOf(deletedTweets)] as const;

/** The reads that find the original of a tweet, which may be a share. */
export const ORIGINAL_BY_ID = [rowsOf(tweets, 2), rowsOf(deletedTweets)] as const;

/** The read that finds out which tweets were deleted lately. */
export const DELETIONS = oncePerRequest(
  upTo(tweetInvalidations, () => ({ reads: MINUTES_READ, rows: MINUTES_READ * MAX_INVALIDATIONS_READ })),
);

/** The reads by which a page leaves out shares whose original was deleted. */
export const SHARES_CHECKED = [DELETIONS, furtherChecks(deletedTweets)] as const;

/** The reads of the tweets that the rows of a page only point to. */
export const TWEETS_POINTED_TO = [visibilityReads(tweets), ...SHARES_CHECKED] as const;

/** Returns how the bound of a page of MOST_LIKED grows beyond the bound of `byOrder`. */
export function growthOf({ reserve }: Pick<Context, 'reserve'>, field: string, from: Cost): Growth {
  return {
    from,
    add: (more) => reserve({ field, table: tweetCounts.name }, more),
  };
}

/**
 * The bounds of a list with an order: those of NEWEST, or what a page of MOST_LIKED may read of `mostLikedTables`, of the counts
 * that it compares, and of tweets, all together, without reserving more.
 */
export function byOrder(
  newest: readonly TableBound[],
  mostLikedTables: readonly Sized[],
  mostLiked: (args: ConnectionArguments) => Cost = mostLikedBase,
): TableBound[] {
  const isNewest = (args: Readonly<Record<string, unknown>>) => args['order'] === TweetOrder.NEWEST;
  return [
    ...newest
      .filter(({ scope }) => scope !== 'request')
      .map((bound): TableBound => {
        const { bytes, oppositePageCost } = bound;
        return {
          ...bound,
          cost: (asked) => (isNewest(asked.args) ? bound.cost(asked) : FREE),
          bytes: (asked) => (isNewest(asked.args) ? bytes(asked) : 0),
          ...(oppositePageCost && {
            oppositePageCost: (asked) => (isNewest(asked.args) ? oppositePageCost(asked) : FREE),
          }),
        };
      }),
    showing(
      tweets,
      ({ args, limit }) => (isNewest(args) ? 0 : limit + 1),
      together(
        upTo(tweetCounts, ({ args }) => (isNewest(args) ? FREE : mostLiked(args))),
        tweets,
        ...mostLikedTables,
      ),
    ),
    ...new Set([DELETIONS, ...newest.filter(({ scope }) => scope === 'request')]),
  ];
}
