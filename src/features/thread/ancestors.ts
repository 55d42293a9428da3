import type { Context } from '../../context';
import { badArgument } from '../../kit/base/errors';
import { encodeCursor } from '../../kit/lists/cursor';
import type { Page } from '../../kit/lists/page';
import type { Load } from '../../kit/reads/load';
import { tweetHiding } from '../hidden/hiding';
import { cachedTweets } from '../tweet/tweet-invalidations';
import { deletedTweets, rootOf, tweets, type StoredTweet, type TweetRow } from '../tweet/tweet.table';
import { isByHidden } from '../tweet/visible';
import { MAX_ENTRIES, readEntries, reserveFirstEntries } from './read-entries';

/** How many ancestors a page has at most, and how many are read one after the other. */
export const MAX_ANCESTORS = 40;

/** After how many tweets a page ends, even if it may show few of them. */
const MAX_READ = 400;

const FIELD = 'Tweet.ancestors';

/** The tweets above a tweet, from the root on; also deleted ones. */
interface Path {
  readonly tweetIds: readonly string[];
  /** Whether these are only the nearest, because the conversation is too large to find the others. */
  readonly isCut: boolean;
}

/** Reads a page of the tweets above a tweet, from the root on. Without a tweet there are none. */
export async function readAncestors(
  context: Context,
  tweet: TweetRow | null,
  { name, limit, from }: Pick<Page, 'limit' | 'from'> & { readonly name: string },
) {
  const { tweetIds, isCut } =
    tweet === null ? { tweetIds: [], isCut: false } : await readPath(context, tweet);
  const [last] = from?.key ?? [];
  const start = last === undefined ? 0 : tweetIds.indexOf(String(last)) + 1;
  if (start === 0 && last !== undefined) throw noAncestor(isCut);
  const size = Math.min(limit, MAX_ANCESTORS);
  const { shown, hiddenCount, end } = await readShown(context, tweetIds, start, size);
  const nodes = shown.slice(0, size);
  const cursorOf = (tweetId: string) => encodeCursor(name, { bucket: 0, key: [tweetId] });
  const edges = nodes.map((node) => ({ cursor: cursorOf(node.tweetId), node }));
  return {
    edges,
    nodes,
    hiddenCount,
    pageInfo: {
      hasNextPage: shown.length > size || end !== null,
      hasPreviousPage: isCut,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: end === null ? (edges.at(-1)?.cursor ?? null) : cursorOf(end),
    },
  };
}

/**
 * Reads the tweets of a path from a place on that the viewer may see: one more than `size`, if there are so many, and how many are hidden
 * before the end of the page. `end` is the tweet to go on after if a bound has ended the page before that.
 */
async function readShown(context: Context, tweetIds: readonly string[], start: number, size: number) {
  const { load, reserve } = context;
  const hiding = tweetHiding.open(context, 'THREAD');
  const shown: TweetRow[] = [];
  const until = Math.min(tweetIds.length, start + MAX_READ);
  let [hiddenCount, hiddenBehind, next] = [0, 0, start];
  while (shown.length <= size && next < until) {
    const some = tweetIds.slice(next, next + (next === start ? size + 1 : MAX_ANCESTORS));
    // The bound has the first ones, and all tweets of a short path.
    if (next > start && tweetIds.length > MAX_ANCESTORS)
      await reserve({ field: FIELD, table: tweets.name }, { reads: some.length, rows: some.length });
    next += some.length;
    const found = await Promise.all(some.map(async (tweetId) => load(cachedTweets, { tweetId })));
    await hiding?.learn(found.flatMap((row) => row ?? []));
    for (const row of found) {
      if (row === null || shown.length > size) continue;
      if (isByHidden(load, row) || hiding?.hides(row) === true) {
        hiddenBehind++;
        continue;
      }
      // What is hidden behind the last one of a full page belongs to the next page.
      if (shown.push(row) > size) continue;
      hiddenCount += hiddenBehind;
      hiddenBehind = 0;
    }
  }
  if (shown.length > size) return { shown, hiddenCount, end: null };
  const end = next < tweetIds.length ? (tweetIds[next - 1] ?? null) : null;
  return { shown, hiddenCount: hiddenCount + hiddenBehind, end };
}

function noAncestor(isCut: boolean) {
  const which = isCut ? `one of the ${MAX_ANCESTORS} nearest ancestors` : 'an ancestor';
  const why = isCut ? `: the conversation has more than ${MAX_ENTRIES} replies` : '';
  return badArgument(
    'after',
    `must be a cursor of ${which} of the tweet, but got another one${why}. Begin again without after.`,
  );
}

/**
 * Finds the tweets above a tweet: the nearest one after the other, and the others of a long path by the entries of the conversation, up to
 * a tweet that is not stored here.
 */
async function readPath(context: Context, tweet: TweetRow): Promise<Path> {
  const { load, reserve } = context;
  // Tweets of an import may reply to each other in a circle.
  const passed = new Set([tweet.tweetId]);
  let next = tweet.inReplyToId;
  while (next !== null && !passed.has(next) && passed.size <= MAX_ANCESTORS) {
    const above: Pick<TweetRow, 'inReplyToId'> | null =
      (await load(cachedTweets, { tweetId: next })) ?? (await load(deletedTweets.get, { tweetId: next }));
    if (above === null) break;
    passed.add(next);
    next = above.inReplyToId;
  }
  let isCut = false;
  if (next !== null && !passed.has(next) && passed.size > MAX_ANCESTORS) {
    // Lists do not have the root, and a page may have others than those that were passed.
    const more = MAX_ANCESTORS + 1;
    await reserve({ field: FIELD, table: tweets.name }, { reads: more, rows: more });
    await reserveFirstEntries(context, FIELD);
    const stored: StoredTweet | null = await load(cachedTweets, tweet);
    const entries = await readEntries(context, rootOf(stored ?? { ...tweet, rootId: null }), FIELD);
    const parents = new Map(entries?.map(({ tweetId, parentId }) => [tweetId, parentId]));
    for (
      let id: string | undefined = next;
      entries && id !== undefined && !passed.has(id);
      id = parents.get(id)
    )
      passed.add(id);
    isCut = entries === null;
  }
  return { tweetIds: [...passed].slice(1).reverse(), isCut };
}

/** Returns the tweet whose conversation a tweet is in: for a share, its original; null if that is not stored here. */
export async function conversing<T extends TweetRow>(load: Load, tweet: T): Promise<T | StoredTweet | null> {
  return tweet.sharedTweetId === null ? tweet : load(cachedTweets, { tweetId: tweet.sharedTweetId });
}
