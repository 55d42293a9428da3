import { followingByUser } from '../follow/follow.lists';
import { pulledByUser } from '../follow/follow.table';
import { sumOf, type Cost } from '../../kit/cost/cost';
import { listBuckets } from '../../kit/lists/list-buckets';
import { shownBytes } from '../../kit/lists/page-bounds';
import { showing, together, upTo, type TableBound } from '../../kit/cost/reads';
import { DEFAULT_BOUNDS, MAX_ROWS_AT_ONCE, type ListBounds } from '../../kit/lists/list-parts';
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

/** With more pulled authors than this, a page does not check for an opposite page: that would read as much again. */
export const MAX_MERGED_FOR_OPPOSITE_PAGE = 50;

/** How many rows are read of each author at first, if there are many: see `firstRowsOf`. */
const FIRST_ROWS_PER_AUTHOR = 4;
/** How many reads an author may take on average: one if the list is not split, else bucket 0, the stretches and the two newest buckets. */
const READS_PER_AUTHOR = 2;
/** What a page may read of pulled authors. It is refused if it needs more: with more than some 1,000 whose lists are split. */
export const MAX_PULLED_READS: Cost = {
  reads: READS_PER_AUTHOR * MAX_MERGED_AUTHORS + TIMELINE_BOUNDS.continuations,
  rows:
    READS_PER_AUTHOR * MAX_MERGED_AUTHORS * FIRST_ROWS_PER_AUTHOR +
    TIMELINE_BOUNDS.continuations * MAX_ROWS_AT_ONCE,
};

/** How often a page reads of the pushed tweets, at most. */
const OWN_TIMES = 1 + TIMELINE_BOUNDS.continuations;
/** What a page reads of `list_buckets` for the pushed tweets. */
const OWN_STRETCHES: Cost = { reads: 2 * OWN_TIMES, rows: OWN_TIMES * (DEFAULT_BOUNDS.buckets + 2) };
/** What a page reads of the pushed tweets: besides the partitions, bucket 0 each time; the first may be read again. */
const OWN_READS: Cost = {
  reads: 1 + OWN_TIMES * (1 + OWN_BOUNDS.partitions),
  rows: (1 + OWN_TIMES * (1 + OWN_BOUNDS.partitions)) * MAX_ROWS_AT_ONCE,
};

/**
 * What a page of NEWEST reads. Of each pulled author, that is one partition, or a few if the author's list is split.
 */
export const TIMELINE_READS: readonly TableBound[] = [
  {
    table: timelinesByUser.name,
    cost: () => OWN_READS,
    bytes: shownBytes(timelinesByUser),
    oppositePageCost: () => OWN_READS,
  },
  showing(
    tweetsByAuthor,
    ({ limit }) => limit + 1,
    together(
      {
        table: tweetsByAuthor.name,
        cost: () => sumOf([MAX_PULLED_READS, OWN_STRETCHES]),
        // Pulled authors are read within one bound, in whichever direction.
        oppositePageCost: () => OWN_STRETCHES,
      },
      listBuckets,
    ),
  ),
  upTo(pulledByUser, () => ({ reads: 1, rows: MAX_PULLED_ROWS })),
  ...SHARES_CHECKED,
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
 * What a page of MOST_LIKED reads besides the counts that it compares: the followed accounts, the most liked tweets of each
 * and, after these, a page of NEWEST.
 */
export const MOST_LIKED_SOURCES: Cost = {
  reads: 2 * MAX_MERGED_AUTHORS + DEFAULT_BOUNDS.partitions,
  rows: 10 * MAX_MERGED_AUTHORS,
};
