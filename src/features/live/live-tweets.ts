import type { Context, Viewer } from '../../context';
import { isId } from '../../kit/base/ids';
import type { Load } from '../../kit/reads/load';
import { showItems } from '../../kit/lists/list';
import { collect } from '../../kit/lists/connection';
import type { Position } from '../../kit/lists/cursor';
import type { LateArrival } from '../../kit/subscriptions/late-arrivals';
import type { Live } from '../../kit/subscriptions/live';
import type { NewNode } from '../../kit/subscriptions/watched-list';
import type { HiddenReason } from '../hidden/hidden.enums';
import { seenTweet, whyHidden } from '../hidden/hiding';
import type { SeenPlace } from '../hidden/may-show';
import { createSight } from '../hidden/sight/sight';
import type { SearchContext } from '../search/tweet-index';
import { tweetsByAuthor } from '../tweet/tweet.lists';
import { tweet } from '../tweet/tweet.node';
import type { TweetRow } from '../tweet/tweet.table';
import { listedTweet } from '../tweet/visible';

export type { TweetRow };

/** How many tweets are read at a time. */
const TWEETS_AT_ONCE = 100;

/** The context in which subscriptions read: that of a query that searches. */
export type LiveReads = SearchContext;

/** The context in which a subscription begins. */
export interface LiveTweetsContext extends Context {
  readonly live: Live<LiveReads>;
}

/**
 * Returns these tweets if all of them are shown: no author is hidden, and none is a share, whose original may have been deleted, which
 * takes more reads to find out.
 */
export function ifAllShown(
  load: Load,
  tweets: readonly TweetRow[] | undefined,
): readonly TweetRow[] | undefined {
  const isShown = ({ authorId, sharedTweetId }: TweetRow) =>
    sharedTweetId === null && load.isHidden?.(authorId) !== true;
  return tweets?.every(isShown) === true ? tweets : undefined;
}

/** The tweets that arrivals name, without those that were deleted and those that are not wanted. They are read together. */
export async function* lateTweets(
  live: Live<LiveReads>,
  arrivals: readonly LateArrival[],
  isWanted: (tweet: TweetRow, load: Load) => boolean | Promise<boolean>,
): AsyncIterable<TweetRow> {
  for (let n = 0; n < arrivals.length; n += TWEETS_AT_ONCE) {
    const some = arrivals.slice(n, n + TWEETS_AT_ONCE);
    const read = await live.readRows((load) =>
      Promise.all(
        some.map(async ({ item }) => {
          const found = await listedTweet(load, item);
          return found !== null && (await isWanted(found, load)) ? found : null;
        }),
      ),
    );
    for (const tweet of read) if (tweet !== null) yield tweet;
  }
}

/** The tweet that a signal names; null if it is not wanted, undefined if there is no such tweet. */
export async function signalledTweet(
  load: Load,
  tweetId: string,
  isWanted: (tweet: TweetRow) => boolean | Promise<boolean>,
): Promise<TweetRow | null | undefined> {
  const tweet = isId(tweetId) ? await listedTweet(load, tweetId) : null;
  if (tweet === null) return undefined;
  return (await isWanted(tweet)) ? tweet : null;
}

/** The events of a subscription, without the tweets that are hidden from its viewer when they come. */
export async function* exceptHidden(
  live: Live<LiveReads>,
  viewer: Viewer,
  events: AsyncIterable<NewNode<TweetRow>>,
  place: SeenPlace,
): AsyncGenerator<NewNode<TweetRow>> {
  for await (const event of events)
    if ((await whyHiddenNow(live, viewer, event.node, place)) === null) yield event;
}

/** Why a tweet is hidden from the viewer of a subscription now; null if it is not. */
export async function whyHiddenNow(
  live: Live<LiveReads>,
  viewer: Viewer,
  tweet: TweetRow,
  place: SeenPlace,
): Promise<HiddenReason | null> {
  if (viewer.caller.kind !== 'person') return null;
  return live.readRows((load) => {
    const context = { load, sight: createSight(load, viewer), reserve: () => Promise.resolve() };
    return whyHidden(context, seenTweet(tweet), place);
  });
}

/** All tweets of an author that are younger than `since`, oldest first. */
export async function* tweetsOfAuthor(
  live: Live<LiveReads>,
  authorId: string,
  since: Date | null,
): AsyncIterable<TweetRow> {
  for (let from: Position | null = null; ;) {
    const { rows, next } = await pageOfAuthor(live, authorId, from);
    for (const row of rows) if (since === null || row.createdAt >= since) yield row;
    if (next === null || live.ending.isEnded()) return;
    from = next;
  }
}

/** Some tweets of an author from a position on, oldest first, and the position to continue from; null if there are no more. */
function pageOfAuthor(live: Live<LiveReads>, authorId: string, from: Position | null) {
  return live.readRows(async (load) => {
    const { list } = showItems({ load }, tweetsByAuthor.list(load, authorId), tweet, null);
    const { rows, end } = await collect(list, { limit: TWEETS_AT_ONCE - 1, backwards: true, from });
    const last = rows.length < TWEETS_AT_ONCE ? undefined : rows.at(-1);
    const next = last === undefined ? end : { bucket: last.bucket, key: list.position(last.row) };
    return { rows: rows.map(({ row }): TweetRow => row), next };
  });
}
