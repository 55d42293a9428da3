import { pulledByUser } from '../follow/follow.table';
import type { Cost } from '../kit/cost/cost';
import { pagesOf } from '../kit/cost/lists';
import { upTo, type TableBound } from '../kit/cost/reads';
import { buckets } from '../kit/data/buckets';
import { DEFAULT_BOUNDS, type ListBounds } from '../kit/relay/list';
import { SHARES_CHECKED } from '../tweet/tweet-reads';
import { tweetsByAuthor } from '../tweet/tweet.table';
import { timelinesByUser } from './timeline.table';

/**
 * How many authors a timeline merges at most: pulled authors (NEWEST), or all that its reader follows (MOST_LIKED). Greater
 * than `MAX_FOLLOWING`, because follows made at the same moment may pass that limit by a few.
 */
export const MAX_MERGED_AUTHORS = 2100;
/** The most marks in `pulled_by_user`: pulled authors, and unfollowed authors whose tweets are still being removed. */
export const MAX_MARKS = 2 * MAX_MERGED_AUTHORS;
/** The most buckets of a timeline, months and their shards: twenty years have 9,120. */
export const MAX_TIMELINE_BUCKETS = 10_000;
/** How much a page reads. A month has at most 38 partitions of its own; most pages are full after one or two. */
export const TIMELINE_BOUNDS: ListBounds = { buckets: 32, partitions: 128, continuations: 48 };

/** The most months in which a user followed somebody: fifty years have 600. */
export const MAX_FOLLOW_MONTHS = 600;

/** With more pulled authors than this, a page does not look for tweets in front of it: that would read as much again. */
export const MAX_MERGED_BEHIND = 50;

/** How many rows are read of each author at first, if there are many: see `firstRowsOf`. */
const FIRST_ROWS_PER_AUTHOR = 4;
const MAX_MONTHS = DEFAULT_BOUNDS.buckets + 1;

/** What a page of NEWEST reads. Of each pulled author, that is the list of months, and one month or more. */
export const TIMELINE_READS: readonly TableBound[] = [
  pagesOf(timelinesByUser, TIMELINE_BOUNDS),
  {
    table: tweetsByAuthor.name,
    cost: () => ({ reads: MAX_MERGED_AUTHORS, rows: MAX_MERGED_AUTHORS * FIRST_ROWS_PER_AUTHOR }),
    behind: () => ({ reads: MAX_MERGED_BEHIND, rows: MAX_MERGED_BEHIND }),
  },
  upTo(pulledByUser, () => ({ reads: 1, rows: MAX_MARKS })),
  {
    table: buckets.name,
    cost: () => ({
      reads: 1 + MAX_MERGED_AUTHORS,
      rows: MAX_TIMELINE_BUCKETS + MAX_MERGED_AUTHORS * MAX_MONTHS,
    }),
    behind: () => ({ reads: MAX_MERGED_BEHIND, rows: MAX_MERGED_BEHIND * MAX_MONTHS }),
  },
  SHARES_CHECKED,
];

/**
 * What a page of MOST_LIKED reads besides the counts that it compares: the followed accounts, the most liked tweets of each
 * and, after these, a page of NEWEST.
 */
export const MOST_LIKED_SOURCES: Cost = {
  reads: 2 * MAX_MERGED_AUTHORS + MAX_FOLLOW_MONTHS,
  rows: 10 * MAX_MERGED_AUTHORS,
};
