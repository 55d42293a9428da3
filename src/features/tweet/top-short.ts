import type { LimitedLoad } from '../../kit/cost/limit-load';
import { collect } from '../../kit/lists/connection';
import type { Source } from '../../kit/lists/list-parts';
import { MORE_TWEETS } from './top-liked';
import type { RankedTweet, TopSources } from './top-reading';
import { comparePositions, decodeTopPosition, encodeTopPosition, type TopPosition } from './top-position';
import { isOwn, readLikes } from './top-tweets';

/** The most tweets that are sorted for a page, unless the page itself is larger. */
const MAX_SORTED = 100;

/** A row of a list, with the position of its tweet, which may be deleted. */
interface SortedRow<N> extends TopPosition {
  readonly row: N;
}

/**
 * All rows of a list that has few, most liked first; null if it has many. Most authors have few tweets. Reading the counts of
 * them all takes two requests, which is less than reading first those with likes and then those without.
 */
export async function sortedRows<N extends { readonly tweetId: string }>(
  load: LimitedLoad,
  { newest, tweetOf, isLong, sortedPerItem = 0 }: TopSources<N>,
  pageSize: number,
): Promise<readonly SortedRow<N>[] | null> {
  const limit = Math.max(pageSize, Math.min(MAX_SORTED, sortedPerItem * pageSize));
  if ((await isLong?.(load, limit)) === true) return null;
  const { rows, end } = await collect(await newest(load), { limit, backwards: false, from: null });
  if (rows.length > limit || end !== null) return null;
  const ids = rows.map(({ row }) => row.tweetId);
  // If they are not many more than are needed, their tweets are read together with their counts.
  const [likes] = await Promise.all([
    readLikes(load, ids),
    rows.length <= pageSize + MORE_TWEETS ? Promise.all(rows.map(({ row }) => tweetOf(load, row))) : [],
  ]);
  return rows
    .map(({ row, bucket }, index) => {
      const count = likes[index] ?? 0;
      return { tweetId: row.tweetId, likes: count, bucket: count === 0 ? bucket : 0, row };
    })
    .sort((a, b) => comparePositions(b, a));
}

/**
 * The sources of rows that are sorted already: of tweets with likes, and of those without. They read the tweets of a page, which
 * are read from both together.
 */
export function sortedSources<N>(
  load: LimitedLoad,
  { tweetOf, isVisible = () => true }: TopSources<N>,
  sorted: readonly SortedRow<N>[],
  pageSize: number,
): (areLiked: boolean) => Source<RankedTweet> {
  // One more tells whether the list goes on.
  let missing = pageSize + 1;
  return (areLiked) => ({
    async read({ after, reversed, limit }) {
      // A page that has read enough reads on because some of it is hidden from the caller.
      if (missing === 0) missing = limit;
      const from = decodeTopPosition(after);
      const isAhead = (row: SortedRow<N>) =>
        row.likes > 0 === areLiked &&
        (from === null || comparePositions(row, from) * (reversed ? 1 : -1) > 0);
      const ahead = (reversed ? sorted.toReversed() : sorted).filter(isAhead);
      const found: RankedTweet[] = [];
      for (let next = 0; next < ahead.length && missing > 0;) {
        const chunk = ahead.slice(next, (next += missing));
        const tweets = await Promise.all(chunk.map(({ row }) => tweetOf(load, row)));
        const areShown = await Promise.all(tweets.map(async (tweet) => isOwn(tweet) && isVisible(tweet)));
        chunk.forEach(({ tweetId, likes, bucket }, index) => {
          const tweet = tweets[index];
          if (tweet == null || areShown[index] !== true) return;
          found.push({ tweetId, likes, bucket, tweet });
          missing--;
        });
      }
      const last = found.at(-1);
      return { rows: found, end: missing > 0 || last === undefined ? null : encodeTopPosition(last) };
    },
  });
}
