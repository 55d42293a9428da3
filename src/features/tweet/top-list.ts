import type { Cost } from '../../kit/cost/cost';
import { limitLoad, type LimitedLoad, type Growth } from '../../kit/cost/limit-load';
import { connect } from '../../kit/lists/connection';
import { hideRows } from '../../kit/lists/hide-rows';
import type { PageHiding } from '../../kit/lists/node';
import { partsByBucket, type List } from '../../kit/lists/list-parts';
import { pageOf } from '../../kit/lists/page';
import { cursorIn, type ConnectionArguments, DEFAULT_PAGE_SIZE } from '../../kit/input/page-args';
import { tweetHiding, type HidingContext } from '../hidden/hiding';
import type { SeenPlace } from '../hidden/may-show';
import { likedSource, refusePage } from './top-liked';
import { sortedRows, sortedSources } from './top-short';
import { isByHidden } from './visible';
import { encodeTopPosition } from './top-position';
import { unlikedSource } from './top-unliked';
import type { TopSources, TopBounds, RankedTweet } from './top-reading';
import type { TweetRow } from './tweet.table';

/** How many reads a first page may make for each of its items. */
const READS_PER_ITEM = 60;
/** How many reads any first page may make, however small it is. */
const MIN_COMPARING_READS = 300;
/** How many reads any page may make. */
const MAX_COMPARING_READS = 4000;
/** How many rows a page may read for each of its reads, on average. */
const ROWS_PER_READ = 20;

/**
 * How much a page of MOST_LIKED reads at most. Each compared tweet is a partition of `tweet_counts`. A query may have many
 * first pages, which need only the few most liked tweets. A later page may come to a magnitude that has many tweets.
 */
export function mostLikedCost(args: ConnectionArguments): Cost {
  const reads = isFirstPage(args)
    ? Math.min(MAX_COMPARING_READS, Math.max(MIN_COMPARING_READS, READS_PER_ITEM * sizeOf(args)))
    : MAX_COMPARING_READS;
  return { reads, rows: ROWS_PER_READ * reads };
}

/** How many reads a first page may make for each of its items before it must reserve more, and a later one. */
const BASE_READS_PER_ITEM = 6;
const LATER_BASE_READS_PER_ITEM = 8;
/** How many reads any page may make before that, however small it is. */
const MIN_BASE_READS = 50;

/** How much a page of MOST_LIKED reads of most lists. It reserves more, up to `mostLikedCost`, if its first rows tell that it must. */
export function mostLikedBase(args: ConnectionArguments): Cost {
  const perItem = isFirstPage(args) ? BASE_READS_PER_ITEM : LATER_BASE_READS_PER_ITEM;
  const reads = Math.max(MIN_BASE_READS, perItem * sizeOf(args));
  return { reads, rows: ROWS_PER_READ * reads };
}

function isFirstPage({ after, before }: ConnectionArguments): boolean {
  return cursorIn(after) === null && cursorIn(before) === null;
}

function sizeOf({ first, last }: ConnectionArguments): number {
  return first ?? last ?? DEFAULT_PAGE_SIZE;
}

/** The two buckets of a list: liked tweets come first, then those without likes, newest first. */
const LIKED = 1;
const UNLIKED = 0;

/**
 * Reads a page of MOST_LIKED, which is shown at a place, from the sources of `prepare`. The reads of `prepare` count towards `max`.
 * `growth` says how the bound grows up to that.
 */
export async function connectMostLiked<N extends { readonly tweetId: string }>(
  context: HidingContext,
  place: SeenPlace,
  args: ConnectionArguments,
  prepare: (load: LimitedLoad) => Promise<Prepared<N>>,
  max = mostLikedCost(args),
  growth?: Growth,
) {
  const load = limitLoad(context.load, max, refusePage, growth);
  const { sources, hidden, ...bounds } = await prepare(load);
  const seen = exceptHidden(
    topList(load, sources, { max, ...bounds }),
    context.sight.isNobody ? undefined : tweetHiding.open(context, place),
  );
  const list = exceptHidden(seen, hidden);
  return connect(
    list,
    pageOf(list.name, args),
    ({ tweet }, cursor) => ({ cursor, node: tweet }),
    ({ tweet }) => tweet,
  );
}

/** Leaves out of a list the tweets that are hidden. */
function exceptHidden(list: List<RankedTweet>, hiding?: PageHiding<TweetRow>): List<RankedTweet> {
  if (hiding === undefined) return list;
  return hideRows(list, {
    learn: (rows) => hiding.learn(rows.map(({ tweet }) => tweet)),
    hides: ({ tweet }) => hiding.hides(tweet),
  });
}

/** The sources of a list, and how many rows are read of it at first. */
interface Prepared<N> extends Pick<TopBounds, 'firstRows'> {
  readonly sources: TopSources<N>;
  /** A rule that hides more tweets than those that are hidden from the viewer. */
  readonly hidden?: PageHiding<TweetRow> | undefined;
}

/**
 * The tweets of some owners, most liked first, then by id descending. An owner's partition has its tweets by magnitude of
 * likes. A magnitude is read whole and ordered by the counts that are shown; that of a single like needs no ordering. If a
 * magnitude has too many tweets for that, they are read count by count. If it also has too many counts, the page fails with
 * `QUERY_TOO_LARGE`. Shares are left out.
 */
export function topList<N extends { readonly tweetId: string }>(
  load: LimitedLoad,
  sources: TopSources<N>,
  bounds: TopBounds,
): List<RankedTweet> {
  return {
    name: sources.name,
    position: encodeTopPosition,
    ...(load.isHidden && {
      shown: ({ tweet }: RankedTweet) => !isByHidden(load, tweet) || ('hidden' as const),
    }),
    async parts(page) {
      const isFirst = sources.sortedPerItem !== undefined && page.from === null;
      const sorted = isFirst ? await sortedRows(load, sources, page.limit) : null;
      const ofSorted = sorted && sortedSources(load, sources, sorted, page.limit);
      const listed = page.from === null && !page.backwards ? new Set<string>() : null;
      const reading = { load, sources, bounds, listed };
      const sourceOf = (bucket: number) => {
        if (ofSorted) return ofSorted(bucket === LIKED);
        return bucket === LIKED ? likedSource(reading) : unlikedSource(reading);
      };
      const buckets = () => Promise.resolve([LIKED, UNLIKED]);
      return partsByBucket(buckets, (bucket) => [sourceOf(bucket)])(page);
    },
  };
}
