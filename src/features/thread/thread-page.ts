import type { Context } from '../../context';
import { badArgument } from '../../kit/base/errors';
import { compareIds, isId } from '../../kit/base/ids';
import { encodeCursor, type Position } from '../../kit/lists/cursor';
import { pageOf } from '../../kit/lists/page';
import { shownRelations } from '../follow/follow.table';
import { joinPair } from '../follow/relation';
import { blockIn } from '../follow/block';
import { HiddenReason } from '../hidden/hidden.enums';
import { Links, seenTweet, wordOf } from '../hidden/hiding';
import { mayShow } from '../hidden/may-show';
import { cachedTweets } from '../tweet/tweet-invalidations';
import { cachedTweetCounts, likesIn, rootOf, type StoredTweet } from '../tweet/tweet.table';
import { isByHidden } from '../tweet/visible';
import { shownWord } from '../hidden/sight/muted-word.type';
import { readReplies, type LargeStart } from './large-thread';
import { MAX_ENTRIES, readEntries } from './read-entries';
import type { ThreadEntry } from './thread.lists';
import { HiddenTweets, MAX_DEPTH, MAX_PER_PARENT, type ThreadArgs } from './thread.type';
import { ThreadOrder, ThreadTree, type Shown, type ThreadStart } from './tree';

/** The number of tweets whose likes a thread compares. */
export const MAX_COMPARED = 1000;

/** The meanings of a thread's cursors, by their bucket. Those of earlier versions were 0 to 2. */
const CURSORS = { large: 3, after: 4, more: 5, within: 6 } as const;

/** Checks the arguments of a thread. Throws `BAD_USER_INPUT`. */
function checkArgs({ depth, perParent }: ThreadArgs): void {
  if (depth < 1 || depth > MAX_DEPTH)
    throw badArgument('depth', `must be 1 to ${MAX_DEPTH}, but got: ${depth}`);
  if (perParent < 1 || perParent > MAX_PER_PARENT)
    throw badArgument('perParent', `must be 1 to ${MAX_PER_PARENT}, but got: ${perParent}`);
}

/** Reads a page of the thread of a tweet. */
export async function readThread(context: Context, top: StoredTweet, args: ThreadArgs) {
  checkArgs(args);
  const { order, authorFirst, depth, perParent } = args;
  const name = `thread ${top.tweetId} ${order} ${authorFirst} ${depth} ${perParent}`;
  const page = pageOf(name, args);
  // A page of a conversation that was too large goes on with it in that way, without reading it to find that out again.
  const entries = isOfLarge(page.from) ? null : await readEntries(context, rootOf(top));
  const { found, cursorOf, cut }: Found =
    entries === null
      ? await showLarge(context, top, args, { ...page, name })
      : await showTree(context, top, args, { ...page, name, entries });
  const edges = await edgesOf(context, found.slice(0, page.limit), args.hidden, cursorOf);
  return {
    edges,
    pageInfo: {
      hasNextPage: found.length > page.limit || cut != null,
      hasPreviousPage: false,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: cut ?? edges.at(-1)?.cursor ?? null,
    },
  };
}

/** Makes the cursor of a tweet, or that of its further replies after one of them. */
type CursorOf = (shown: Shown, bucket: number) => string;

/** The tweets of a page, and one more if there are more. */
interface Found {
  readonly found: readonly Shown[];
  readonly cursorOf: CursorOf;
  /** The cursor to go on from if a bound has ended the page before that. */
  readonly cut?: string | null;
}

interface Showing {
  readonly name: string;
  readonly limit: number;
  readonly from: Position | null;
}

/** The tweets of a page of a conversation that is put in order in memory, and one more if there are more. */
async function showTree(
  context: Context,
  top: StoredTweet,
  args: ThreadArgs,
  { name, limit, from, entries }: Showing & { readonly entries: readonly ThreadEntry[] },
): Promise<Found> {
  const { start, newest } = from === null ? { start: TOP, newest: newestOf(top, entries) } : placeAt(from);
  // Replies that came since the first page are left out, because they would move the others over the borders of pages.
  const known = from === null ? entries : entries.filter(({ tweetId }) => compareIds(tweetId, newest) <= 0);
  const isByLikes = args.order === ThreadOrder.MOST_LIKED;
  const likes = isByLikes ? await readLikes(context, top.tweetId, known) : null;
  const likesOf = (tweetId: string) => likes?.get(tweetId) ?? 0;
  const tree = new ThreadTree(top, known, args, likesOf);
  const found: Shown[] = [];
  for (const shown of tree.walk(start)) if (found.push(shown) > limit) break;
  const within = start.kind === 'more' ? start.parentId : start.kind === 'after' ? start.within : null;
  const cursorOf: CursorOf = ({ tweetId, depth, more, counts }, bucket) => {
    if (bucket === CURSORS.more) {
      const after = more?.after ?? null;
      const place = [tweetId, String(depth + 1), newest, String(after === null ? 0 : likesOf(after))];
      return encodeCursor(name, { bucket, key: after === null ? place : [...place, after] });
    }
    const place = [tweetId, newest, String(likesOf(tweetId)), ...packCounts(counts)];
    if (within === null) return encodeCursor(name, { bucket, key: place });
    return encodeCursor(name, { bucket: CURSORS.within, key: [within, ...place] });
  };
  return { found, cursorOf };
}

const TOP: ThreadStart = { kind: 'top' };

/** The id of the newest tweet of a conversation. */
function newestOf({ tweetId }: StoredTweet, entries: readonly ThreadEntry[]): string {
  return entries.reduce(
    (newest, entry) => (compareIds(entry.tweetId, newest) > 0 ? entry.tweetId : newest),
    tweetId,
  );
}

/** One more than the greatest count, and how many of them fit into a value of a cursor. */
const COUNT_BASE = BigInt(MAX_PER_PARENT + 1);
const COUNTS_PER_VALUE = 9;

/** Packs counts, of which a cursor has room for only a few values. Those above `MAX_PER_PARENT` are of levels without a limit. */
function packCounts(counts: readonly number[]): string[] {
  const values: string[] = [];
  for (let n = 0; n < counts.length; n += COUNTS_PER_VALUE) {
    const some = counts.slice(n, n + COUNTS_PER_VALUE).toReversed();
    const packed = some.reduce(
      (sum, count) => sum * COUNT_BASE + BigInt(Math.min(count, MAX_PER_PARENT)),
      0n,
    );
    values.push(String(packed));
  }
  return values;
}

/** The counts in the values of a cursor; zeros after the last one. */
function unpackCounts(values: readonly string[]): number[] {
  return values.flatMap((value) =>
    Array.from({ length: COUNTS_PER_VALUE }, (_, n) =>
      Number((BigInt(value) / COUNT_BASE ** BigInt(n)) % COUNT_BASE),
    ),
  );
}

/** The same of a conversation that has too many replies for that: those to one tweet, each with the cursor of its own. */
async function showLarge(
  context: Context,
  top: StoredTweet,
  args: ThreadArgs,
  { name, limit, from }: Showing,
): Promise<Found> {
  const { order } = args;
  const start = from === null ? { parentId: top.tweetId, depth: 1, after: null } : largeStartAt(from, args);
  const hasTop = from === null;
  const asked = { order, limit: hasTop ? limit - 1 : limit, hasTop };
  const { found, end } = await readReplies(context, top, start, asked);
  const cursorAt = (...key: string[]) => encodeCursor(name, { bucket: CURSORS.large, key });
  const cursorOf: CursorOf = ({ tweetId, depth }, bucket) => {
    const isBelow = bucket === CURSORS.more || depth === 0;
    return isBelow
      ? cursorAt(tweetId, String(depth + 1))
      : cursorAt(start.parentId, String(start.depth), tweetId);
  };
  return { found, cursorOf, cut: end && cursorAt(start.parentId, String(start.depth), end) };
}

/** Whether a cursor is one of a conversation that is not put in order. */
function isOfLarge(from: Position | null): from is Position {
  return from?.bucket === CURSORS.large;
}

/**
 * Returns where a page begins among the replies to a tweet. A cursor from when all replies were put in order leads there only if the
 * replies to one tweet were to follow, and in the order that they have now.
 */
function largeStartAt({ bucket, key }: Position, { order, authorFirst }: ThreadArgs): LargeStart {
  const [parentId = '', depth = '', ...others] = key.map(String);
  const after = others[bucket === CURSORS.more ? 2 : 0];
  const isInOrder = after === undefined || (order !== ThreadOrder.MOST_LIKED && !authorFirst);
  if (bucket !== CURSORS.large && !(bucket === CURSORS.more && isInOrder))
    throw badArgument(
      'after',
      `must be a cursor of this thread as it is now, but got one from when it had at most ${MAX_ENTRIES} replies. Begin again without after.`,
    );
  if (![parentId, depth, after ?? depth].every(isId))
    throw badArgument('after', 'must be a cursor of this thread.');
  return { parentId, depth: Number(depth), after: after ?? null };
}

/** The page of a thread whose tweet is gone. */
export function noThread(args: ThreadArgs) {
  checkArgs(args);
  const pageInfo = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null };
  return { edges: [], pageInfo };
}

/** Returns where a cursor says that showing begins, and which tweet was the newest when the first page was read. */
function placeAt({ bucket, key }: Position): { readonly start: ThreadStart; readonly newest: string } {
  const values = key.map(String);
  if (!key.every((value) => typeof value === 'string' && /^\d+$/.test(value)))
    throw badArgument('after', 'must be a cursor of this thread.');
  if (bucket === CURSORS.more) {
    const [parentId, , newest, likes, after] = values;
    if (parentId !== undefined && newest !== undefined)
      return { start: { kind: 'more', parentId, after: after ?? null, likes: Number(likes) }, newest };
  }
  if (bucket === CURSORS.after || bucket === CURSORS.within) {
    const within = bucket === CURSORS.within ? (values.shift() ?? null) : null;
    const [tweetId, newest, likes, ...counts] = values;
    if (tweetId !== undefined && newest !== undefined)
      return {
        start: { kind: 'after', tweetId, within, likes: Number(likes), counts: unpackCounts(counts) },
        newest,
      };
  }
  throw badArgument('after', 'must be a cursor of this thread.');
}

/** How much the tweets below one are liked: of those nearest to it, if they are many. */
async function readLikes({ load }: Context, topId: string, entries: readonly ThreadEntry[]) {
  const replies = Map.groupBy(entries, ({ parentId }) => parentId);
  const compared: string[] = [];
  const passed = new Set([topId]);
  for (const id of passed) {
    for (const { tweetId, isGone } of replies.get(id) ?? []) {
      if (compared.length >= MAX_COMPARED) break;
      if (isGone !== true && !passed.has(tweetId)) compared.push(tweetId);
      passed.add(tweetId);
    }
  }
  const counts = await Promise.all(compared.map((tweetId) => load(cachedTweetCounts, { tweetId })));
  return new Map(compared.map((tweetId, index) => [tweetId, likesIn(counts[index] ?? null)]));
}

/** The edges of tweets, with what is hidden from the viewer. */
async function edgesOf(context: Context, shown: readonly Shown[], hidden: HiddenTweets, cursorOf: CursorOf) {
  const { load } = context;
  const [sight, tweets, blocked] = await Promise.all([
    context.sight(),
    Promise.all(shown.map(async ({ tweetId, isGone }) => (isGone ? null : load(cachedTweets, { tweetId })))),
    Promise.all(shown.map((one) => isBlockedByParent(context, one))),
  ]);
  const links = new Links(context, 'THREAD');
  const seen = tweets.map((tweet) => tweet && seenTweet(tweet));
  if (sight)
    await links.learn(
      sight,
      seen.flatMap((one) => one ?? []),
    );
  return shown.map((one, index) => {
    const { tweetId, depth, more } = one;
    const tweet = tweets[index] ?? null;
    const linked = tweet === null || isByHidden(load, tweet) ? null : links.with(seenTweet(tweet));
    const own = linked === null ? HiddenReason.DELETED : mayShow(sight, linked, 'THREAD');
    const word = linked && wordOf(sight, linked, 'THREAD', own);
    const reason = own ?? (blocked[index] === true ? HiddenReason.BLOCKED : null);
    // A tweet that is hidden by a mute may be shown on demand, one that is hidden by a block may not.
    const mayExpand = own === null || own === HiddenReason.MUTED || own === HiddenReason.MUTED_WORD;
    const isShown = reason === null || (hidden === HiddenTweets.EXPAND && mayExpand);
    return {
      ...{ cursor: cursorOf(one, CURSORS.after), tweetId, depth },
      node: isShown ? tweet : null,
      hiddenReason: reason,
      mutedWord: word && shownWord(word),
      moreReplies: more && { count: more.count, cursor: cursorOf(one, CURSORS.more) },
    };
  });
}

/** Whether the author of what a tweet replies to blocks its author: then nobody but the latter sees it there. */
async function isBlockedByParent({ load, viewer }: Context, { parent, authorId }: Shown): Promise<boolean> {
  if (parent === null || authorId === null || parent.authorId === null || parent.authorId === authorId)
    return false;
  const row = await load(shownRelations.get, { pair: joinPair(parent.authorId, authorId) });
  if (blockIn(row, parent.authorId, authorId)?.blocks !== true) return false;
  return (await viewer.userId()) !== authorId;
}
