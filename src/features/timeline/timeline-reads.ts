import { followingByUser } from '../follow/follow.lists';
import { pulledByUser } from '../follow/follow.table';
import { sumOf, type Cost } from '../../kit/cost/cost';
import { listBuckets } from '../../kit/lists/list-buckets';
import { showing, together, upTo, type TableBound } from '../../kit/cost/reads';
import { DEFAULT_BOUNDS, MAX_ROWS_AT_ONCE, type ListBounds } from '../../kit/lists/list-parts';
import { SIGHT_READS } from '../hidden/hidden-reads';
import { SHARES_CHECKED } from '../tweet/tweet-reads';
import { tweetsByAuthor } from '../tweet/tweet.lists';
import { topTweetsByAuthor } from '../tweet/tweet.table';
import { timelinesByUser } from './timeline.lists';

/**
 * How many authors a timeline merges at most: pulled authors (NEWEST), or all that its reader follows (MOST_LIKED). Greater
 * than `MAX_FOLLOWING`, because follows made at the same moment may pass that limit by a few.
 */
export const MAX_MERGED_AUTHORS = 2100;
/** The most rows of a user in `pulled_by_user`: pulled authors, and unfollowed authors whose tweets are still being removed. */
export const MAX_PULLED_ROWS = 2 * MAX_MERGED_AUTHORS;
/** How much a page reads of the pushed tweets. Most pages are full after one partition. */
export const TIMELINE_BOUNDS: ListBounds = {
  ...DEFAULT_BOUNDS,
  partitions: MAX_MERGED_AUTHORS,
  continuations: 24,
};
/** How much a read of the pushed tweets reads. The bounds of the timeline say how often it is repeated. */
export const OWN_BOUNDS: ListBounds = { buckets: 8, partitions: 8, continuations: 0 };
/** How much a read of a pulled author reads. */
export const PULLED_BOUNDS: ListBounds = { buckets: 8, partitions: 16, continuations: 0 };

/** The most pulled authors with which a page checks for an opposite page, because that would read as much again. */
export const MAX_MERGED_FOR_OPPOSITE_PAGE = 50;

/** How many rows are read of each author at first, if there are many: see `firstRowsOf`. */
export const FIRST_ROWS_PER_AUTHOR = 4;
/** How many reads an author may take on average: one if the list is not split, else bucket 0, the stretches and the two newest buckets. */
export const READS_PER_AUTHOR = 2;
/** How often a page reads of the pushed tweets, at most. */
const OWN_TIMES = 1 + TIMELINE_BOUNDS.continuations;
/** The most that a page reads of the pushed tweets: each time bucket 0, the stretches and the partitions. */
const MAX_OWN_READS: Cost = {
  reads: OWN_TIMES * (3 + OWN_BOUNDS.partitions),
  rows: OWN_TIMES * ((1 + OWN_BOUNDS.partitions) * MAX_ROWS_AT_ONCE + DEFAULT_BOUNDS.buckets + 2),
};
/**
 * The most that a page reads of pushed tweets and pulled authors. It is refused if it needs more: with more than some 1,000 authors whose
 * lists are split.
 */
export const MAX_MERGED_READS: Cost = sumOf([
  MAX_OWN_READS,
  {
    reads: READS_PER_AUTHOR * MAX_MERGED_AUTHORS + TIMELINE_BOUNDS.continuations,
    rows:
      READS_PER_AUTHOR * MAX_MERGED_AUTHORS * FIRST_ROWS_PER_AUTHOR +
      TIMELINE_BOUNDS.continuations * MAX_ROWS_AT_ONCE,
  },
]);

/** How many reads a page may make of pushed tweets and pulled authors before it must reserve more: enough for some 20 authors. */
const BASE_READS = 48;

/** Returns how much a page may read of pushed tweets and pulled authors without reserving more. */
export function baseOfTimeline(limit: number): Cost {
  return { reads: BASE_READS, rows: BASE_READS * (limit + 1) };
}

/**
 * The reads of a page of NEWEST. Each pulled author takes one partition, or a few if the author's list is split. The number of authors is
 * known before they are read: a page of many authors reserves them.
 */
export const TIMELINE_READS: readonly TableBound[] = [
  showing(
    timelinesByUser,
    ({ limit }) => limit + 1,
    together(
      {
        // One more tells whether there are authors to merge.
        ...upTo(timelinesByUser, ({ limit }) =>
          sumOf([{ reads: 1, rows: limit + 1 }, baseOfTimeline(limit)]),
        ),
        // A page and its opposite page are read within one bound.
        oppositePageCost: () => ({ reads: 1, rows: 2 }),
      },
      tweetsByAuthor,
      listBuckets,
    ),
  ),
  upTo(pulledByUser, () => ({ reads: 1, rows: MAX_PULLED_ROWS })),
  ...SHARES_CHECKED,
  ...SIGHT_READS,
];

/** The tables of which a page of MOST_LIKED reads, besides the counts that it compares and tweets. */
export const MOST_LIKED_TABLES = [
  followingByUser,
  topTweetsByAuthor,
  timelinesByUser,
  pulledByUser,
  tweetsByAuthor,
  listBuckets,
];

/**
 * The most that a page of MOST_LIKED reads besides the counts that it compares: the followed accounts, the most liked tweets of each and,
 * after these, a page of NEWEST.
 */
export const MOST_LIKED_SOURCES: Cost = {
  reads: 2 * MAX_MERGED_AUTHORS + DEFAULT_BOUNDS.partitions,
  rows: 10 * MAX_MERGED_AUTHORS,
};

/** The same without reserving more: enough for some 100 followed accounts. */
export const BASE_OF_MOST_LIKED: Cost = { reads: 120, rows: 2 * MAX_MERGED_AUTHORS };
