import type { LimitedLoad } from '../kit/cost/limit-load';
import { collect } from '../kit/relay/collect';
import type { Source } from '../kit/relay/list';
import { likesOf } from './top-liked';
import type { RankedTweet, TopSources } from './top-list';
import { comparePositions, positionIn, topPositionOf } from './top-position';

/** The most tweets that are sorted for a page, unless the page itself is larger. */
const MAX_SORTED = 100;

/**
 * All tweets of a list that has few, most liked first; null if it has many. Most authors have few tweets. Reading them all
 * with their counts takes two requests, which is less than reading first those with likes and then those without.
 */
export async function sortedTweets<N extends { readonly tweetId: string }>(
  load: LimitedLoad,
  { newest, tweetOf, holds, isLong, sortedPerItem = 0 }: TopSources<N>,
  pageSize: number,
): Promise<readonly RankedTweet[] | null> {
  const limit = Math.max(pageSize, Math.min(MAX_SORTED, sortedPerItem * pageSize));
  if (isLong?.(limit) === true) return null;
  const { rows, end } = await collect(await newest(load), { limit, backwards: false, from: null });
  if (rows.length > limit || end !== null) return null;
  const [likes, tweets] = await Promise.all([
    likesOf(
      load,
      rows.map(({ row }) => row.tweetId),
    ),
    Promise.all(rows.map(({ row }) => tweetOf(load, row))),
  ]);
  return rows
    .flatMap(({ row: { tweetId }, bucket }, index): RankedTweet[] => {
      const tweet = tweets[index];
      if (tweet == null || tweet.sharedTweetId !== null || !holds(tweet)) return [];
      const count = likes[index] ?? 0;
      return [{ tweetId, likes: count, month: count === 0 ? bucket : 0, tweet }];
    })
    .sort((a, b) => comparePositions(b, a));
}

/** The source of tweets that are already read, most liked first. */
export function sortedSource(tweets: readonly RankedTweet[]): Source<RankedTweet> {
  return {
    read({ after, reversed, limit }) {
      const from = positionIn(after);
      const isAhead = (tweet: RankedTweet) =>
        from === null || comparePositions(tweet, from) * (reversed ? 1 : -1) > 0;
      const rows = (reversed ? tweets.toReversed() : tweets).filter(isAhead).slice(0, limit);
      const last = rows.length < limit ? undefined : rows.at(-1);
      return Promise.resolve({ rows, end: last === undefined ? null : topPositionOf(last) });
    },
  };
}
