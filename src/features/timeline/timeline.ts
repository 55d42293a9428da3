import type { Context, MergedTimelines } from '../../context';
import { times, type Cost } from '../../kit/cost/cost';
import type { Position } from '../../kit/lists/cursor';
import type { Page } from '../../kit/lists/page';
import { followingByUser } from '../follow/follow.lists';
import { pulledByUser } from '../follow/follow.table';
import { tooLarge } from '../../kit/base/errors';
import { snowflakeTime } from '../../kit/base/snowflake';
import { limitLoad, type Growth, type LimitedLoad } from '../../kit/cost/limit-load';
import type { Load } from '../../kit/reads/load';
import { bucketList, isSplitBy, startKeyOf } from '../../kit/lists/bucket-list';
import { collect, sourceOfList } from '../../kit/lists/connection';
import { showItems, type ShownList } from '../../kit/lists/list';
import { rowsOfSlice, type List, type Source, type SourceRows } from '../../kit/lists/list-parts';
import { tweetPosition, tweetsByAuthor } from '../tweet/tweet.lists';
import { tweet } from '../tweet/tweet.node';
import type { TweetRow } from '../tweet/tweet.table';
import { user } from '../user/user.node';
import {
  MAX_PULLED_ROWS,
  MAX_MERGED_AUTHORS,
  MAX_MERGED_FOR_OPPOSITE_PAGE,
  MAX_MERGED_READS,
  READS_PER_AUTHOR,
  FIRST_ROWS_PER_AUTHOR,
  OWN_BOUNDS,
  PULLED_BOUNDS,
  TIMELINE_BOUNDS,
  TIMELINE_READS,
  baseOfTimeline,
} from './timeline-reads';
import { timelinesByUser, timelinesAfterMergedFlag } from './timeline.lists';

/** A home timeline, newest first: pushed tweets, merged with those of pulled authors. */
export const timeline: ShownList<TweetRow, Context> = {
  ...{ of: user, item: tweet, points: null, columns: tweet.columns, reads: TIMELINE_READS },
  open(context, userId, _selects, place) {
    const { load, timelineSince, mergedTimelines, reserve } = context;
    const growthFor = (limit: number) => ({
      from: baseOfTimeline(limit),
      add: (more: Cost) => reserve({ field: 'User.timeline', table: timelinesByUser.name }, more),
    });
    const list = openTimeline(load, userId, timelineSince, mergedTimelines, undefined, growthFor);
    return showItems(context, list, tweet, null, place);
  },
};

/**
 * A user's home timeline: the tweets pushed to it, merged with those of the pulled authors whom the user follows. Tweets older
 * than `since` are left out. Reading it throws `QUERY_TOO_LARGE` if more than `MAX_MERGED_AUTHORS` authors would have to be
 * merged. `onPulled` is told which authors are merged each time it is read. `growthFor` says how the bound of a
 * page grows.
 */
export function openTimeline(
  load: Load,
  userId: string,
  since: Date | null,
  mergedTimelines: MergedTimelines,
  onPulled: (authorIds: readonly string[]) => void = () => undefined,
  growthFor?: (limit: number) => Growth,
): List<TweetRow> {
  const refuse = () =>
    tooLarge('This timeline merges accounts with many followers that take too many reads.');
  // The page, and its opposite page after it, read within one bound.
  let ofPage: LimitedLoad | undefined;
  let isMergedOfFew = true;
  return {
    name: `${timelinesByUser.name} ${userId}`,
    bounds: TIMELINE_BOUNDS,
    checksOppositePage: () => isMergedOfFew,
    async parts({ from, backwards, limit }) {
      const limited = (ofPage ??= limitLoad(load, MAX_MERGED_READS, refuse, growthFor?.(limit)));
      const after = startKeyOf(from);
      const isKnown = mergedTimelines.has(userId);
      let isMerged = isKnown;
      let first: SourceRows<TweetRow> | undefined;
      if (!isKnown) {
        const slice = { after, reversed: backwards, limit: limit + 1 };
        const { rows, statics } = await load(timelinesByUser.slice, { userId, bucket: 0, ...slice });
        // Without a row nothing tells whether it is merged, except at the beginning.
        isMerged = statics === null ? after !== undefined : statics.isMerged === true;
        if (statics?.isMerged === true) mergedTimelines.set(userId, true);
        if (!isMerged && !isSplitBy(statics, after)) first = rowsOfSlice(rows, slice, tweetPosition);
      }
      const authors = isMerged ? await load(pulledByUser.page, { userId, limit: MAX_PULLED_ROWS }) : [];
      // An author's row is removed only after the pushed tweets have been stored or removed, so these must be read after the authors.
      const table = isMerged && !isKnown ? timelinesAfterMergedFlag : timelinesByUser;
      const own: List<TweetRow> = {
        ...bucketList(limited, table, { userId }, tweetPosition),
        bounds: OWN_BOUNDS,
      };
      const pulled = authors.filter((author) => author.pulled ?? true);
      if (pulled.length > MAX_MERGED_AUTHORS || authors.length === MAX_PULLED_ROWS)
        throw tooLarge(
          `A timeline can merge at most ${MAX_MERGED_AUTHORS} accounts with many followers, but this one has more.`,
        );
      onPulled(pulled.map(({ authorId }) => authorId));
      await limited.reserve(times({ reads: READS_PER_AUTHOR, rows: FIRST_ROWS_PER_AUTHOR }, pulled.length));
      isMergedOfFew = pulled.length <= MAX_MERGED_FOR_OPPOSITE_PAGE;
      // Pushed tweets of these authors are not shown: they come from the author's own list, or the author was unfollowed.
      const hidden = new Set(authors.map(({ authorId }) => authorId));
      const sources = [
        ...pulled.map(({ authorId }) =>
          youngSource(
            sourceOfList<TweetRow>({
              ...tweetsByAuthor.shownList(limited, authorId),
              bounds: PULLED_BOUNDS,
            }),
            since,
          ),
        ),
        // The last: a tweet that was pushed before its author had a profile names another author.
        youngSource(sourceOfList(own), since, ({ authorId }) => !hidden.has(authorId)),
      ];
      const part = { sources, start: { bucket: 0, key: after ?? [] } };
      return [first ? { ...part, begun: [youngRows(first, since, backwards)] } : part];
    },
    position: tweetPosition,
  };
}

/** A source without the tweets that are older than `since`, or not visible. */
function youngSource(
  source: Source<TweetRow>,
  since: Date | null,
  isVisible: (tweet: TweetRow) => boolean = () => true,
): Source<TweetRow> {
  return {
    async read(slice) {
      const { rows, ...found } = youngRows(await source.read(slice), since, slice.reversed);
      return { ...found, rows: rows.filter(isVisible) };
    },
  };
}

/**
 * Rows without the tweets that are older than `since`. They end where a tweet is older and has a snowflake that is: the ids after it, also those
 * that are no snowflakes, are those of still older tweets.
 */
function youngRows(read: SourceRows<TweetRow>, since: Date | null, reversed: boolean): SourceRows<TweetRow> {
  if (since === null) return read;
  const { rows, end, isCut = false } = read;
  const last = rows.at(-1);
  // Ids of another service may read as snowflakes of long ago, so the tweet's own time counts, too.
  const isOlder = last !== undefined && last.createdAt < since && isSnowflakeBefore(last.tweetId, since);
  const isOver = !reversed && end !== null && isOlder;
  return {
    rows: rows.filter(({ createdAt }) => createdAt >= since),
    end: isOver ? null : end,
    isCut: isCut && !isOver,
  };
}

function isSnowflakeBefore(id: string, since: Date): boolean {
  const time = snowflakeTime(id);
  return time !== null && time < since;
}

/** How many pages of followed accounts are read at most. */
const MAX_PAGES_OF_FOLLOWED = 4;

/** The accounts that a user follows, newest follow first. Throws `QUERY_TOO_LARGE` for more than `MAX_MERGED_AUTHORS`. */
export async function followedBy(load: Load, userId: string): Promise<string[]> {
  const list = followingByUser.list(load, userId);
  const followees = new Set<string>();
  // A list of which many partitions are almost empty takes several pages.
  let end: Position | null = null;
  for (let pages = 0; pages < MAX_PAGES_OF_FOLLOWED && (pages === 0 || end !== null); pages++) {
    const page: Page = { limit: MAX_MERGED_AUTHORS, backwards: false, from: end };
    const found = await collect(list, page);
    for (const { row } of found.rows) followees.add(row.followeeId);
    end = found.end;
  }
  if (followees.size > MAX_MERGED_AUTHORS || end !== null)
    throw tooLarge(
      `MOST_LIKED works for users who follow at most ${MAX_MERGED_AUTHORS} accounts, but this one follows more. Ask for NEWEST, which merges only accounts with many followers.`,
    );
  return [...followees];
}
