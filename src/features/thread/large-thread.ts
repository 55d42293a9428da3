import type { Context } from '../../context';
import type { Load } from '../../kit/reads/load';
import { newestRows } from '../../kit/lists/bucket-list';
import { collect, sourceOfList } from '../../kit/lists/connection';
import {
  checksOf,
  MAX_CHECKS_PER_ROW,
  SPLIT_BOUNDS,
  type Checks,
  type List,
  type Source,
} from '../../kit/lists/list-parts';
import { deletedReplies, repliesByTweet, tweetPosition } from '../tweet/tweet.lists';
import { cachedTweets } from '../tweet/tweet-invalidations';
import { cachedTweetCounts, countIn, type StoredTweet } from '../tweet/tweet.table';
import { ThreadOrder, type Shown } from './tree';

/** The beginning of a page of such a conversation: among the replies to a tweet, which are `depth` levels below the top. */
export interface LargeStart {
  readonly parentId: string;
  readonly depth: number;
  readonly after: string | null;
}

/** A reply to a tweet, or a deleted one. */
interface Reply {
  readonly tweetId: string;
  readonly authorId: string | null;
  readonly isGone: boolean;
}

/** How many of the replies to a deleted tweet are counted. */
const MAX_COUNTED = 10;
/** How many deleted replies below those of a page are looked at. */
const MAX_FURTHER = 100;
/** How often a page reads lists further, because those that it has read had deleted replies that are not shown: see `collect`. */
const MAX_ROUNDS = 2 * MAX_CHECKS_PER_ROW;

/**
 * Some of the replies to one tweet of a conversation that has too many to be put in order, each with the number of its own. A deleted one
 * is among them if there are others below it. MOST_LIKED is as NEWEST here, and nothing comes first. It reads one more than `limit`, if
 * there are so many; `end` is the id to go on after if a bound has ended it before.
 */
export async function readReplies(
  { load, reserve }: Context,
  top: StoredTweet,
  start: LargeStart,
  { order, limit, hasTop }: { readonly order: ThreadOrder; readonly limit: number; readonly hasTop: boolean },
): Promise<{ found: readonly Shown[]; end: string | null }> {
  await reserve({ field: 'Tweet.thread', table: repliesByTweet.name }, costOf(limit));
  const from = start.after === null ? null : { bucket: 0, key: [start.after] };
  const below = new Below(load);
  const page = { limit, backwards: order === ThreadOrder.OLDEST, from };
  const [{ rows, end }, parent] = await Promise.all([
    collect(repliesTo(load, start.parentId, below), page),
    // Its author may block those of the replies, but not once it was deleted.
    start.parentId === top.tweetId ? top : load(cachedTweets, { tweetId: start.parentId }),
  ]);
  const replies = await Promise.all(
    rows.map(async ({ row }): Promise<Shown> => {
      const count = await below.count(row);
      const more = count > 0 ? { count, after: null } : null;
      return { ...row, parent, depth: start.depth, more, counts: [] };
    }),
  );
  const { tweetId, authorId } = top;
  const first: Shown = { tweetId, authorId, parent: null, isGone: false, depth: 0, more: null, counts: [] };
  const last = end?.key[0];
  return {
    found: hasTop ? [first, ...replies] : replies,
    end: last === undefined ? null : String(last),
  };
}

/** Computes how much a page reads at most: of two lists, and of the tweets below their rows. */
function costOf(limit: number) {
  // Each list takes its first partition, the row that says where it is split, and the partitions there.
  const partitions = 2 * (2 + SPLIT_BOUNDS.partitions);
  const looked = limit + 1 + 2 * checksOf(limit) + 2 * MAX_FURTHER;
  return {
    reads: MAX_ROUNDS * partitions + looked + limit + 5,
    rows: MAX_CHECKS_PER_ROW * partitions * (limit + 1) + looked * (MAX_COUNTED + 1) + limit + 5,
  };
}

/** The replies to a tweet, and the deleted ones of which `below` says that they are shown. */
function repliesTo(load: Load, parentId: string, below: Below): List<Reply> {
  const { name, list } = repliesByTweet;
  const live = sourceOfReplies(list(load, parentId), ({ tweetId, authorId }) => ({
    ...{ tweetId, authorId, isGone: false },
  }));
  const deleted = sourceOfReplies(deletedReplies.list(load, parentId), ({ tweetId }) => ({
    ...{ tweetId, authorId: null, isGone: true },
  }));
  return {
    name: `${name} ${parentId}`,
    async parts({ from }) {
      const newest = await newestRows(load, deletedReplies, { inReplyToId: parentId }, 1);
      const sources = newest?.rows.length === 0 ? [live] : [live, deleted];
      return [{ sources, start: from ?? { bucket: 0, key: [] } }];
    },
    position: tweetPosition,
    shown: (reply, checks) => !reply.isGone || below.isShown(reply, checks),
  };
}

function sourceOfReplies<R>(list: List<R>, replyOf: (row: R) => Reply): Source<Reply> {
  const source = sourceOfList(list);
  return {
    async read(slice) {
      const { rows, ...read } = await source.read(slice);
      return { ...read, rows: rows.map(replyOf) };
    },
  };
}

/** Finds out how much is below the replies of a page. */
class Below {
  private readonly counts = new Map<string, number>();
  /** How many deleted replies below those of the page may be looked at. */
  private further = MAX_FURTHER;

  constructor(private readonly load: Load) {}

  /** Whether a deleted reply is shown; null if the page has no checks left. */
  async isShown({ tweetId }: Reply, checks: Checks): Promise<boolean | null> {
    if (checks.left <= 0) return null;
    checks.left--;
    const count = (await this.countReplies(tweetId)) || (await this.countDeleted(tweetId));
    this.counts.set(tweetId, count);
    return count > 0;
  }

  /** How many replies a reply of the page has; 1 if only deleted ones lead to others. */
  async count({ tweetId }: Reply): Promise<number> {
    const known = this.counts.get(tweetId);
    if (known !== undefined) return known;
    const counts = await this.load(cachedTweetCounts, { tweetId });
    const count = countIn(counts, 'replies');
    return count > 0 ? count : this.countDeleted(tweetId);
  }

  private async countReplies(inReplyToId: string): Promise<number> {
    const newest = await newestRows(this.load, repliesByTweet, { inReplyToId }, MAX_COUNTED);
    // A list that was split has more.
    return newest?.rows.length ?? MAX_COUNTED;
  }

  /** The deleted replies to a tweet; null if they are too many to look at. */
  private async readDeleted(inReplyToId: string): Promise<readonly string[] | null> {
    const newest = await newestRows(this.load, deletedReplies, { inReplyToId }, MAX_COUNTED + 1);
    if (newest === undefined || newest.rows.length > MAX_COUNTED) return null;
    return newest.rows.map(({ tweetId }) => tweetId);
  }

  /** Returns 1 if there are replies below the deleted replies to a tweet, or if finding out takes too much; otherwise 0. */
  private async countDeleted(tweetId: string): Promise<0 | 1> {
    for (let open = [tweetId]; ;) {
      const deleted = await Promise.all(open.map((id) => this.readDeleted(id)));
      open = deleted.flatMap((ids) => ids ?? []);
      if (deleted.includes(null) || open.length > this.further) return 1;
      if (open.length === 0) return 0;
      this.further -= open.length;
      const counts = await Promise.all(open.map((id) => this.countReplies(id)));
      if (counts.some((count) => count > 0)) return 1;
    }
  }
}
