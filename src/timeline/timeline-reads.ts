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
 * How many accounts a timeline merges at most: authors above the push limit (NEWEST), or all whom its owner follows (MOST_LIKED).
 * Greater than `MAX_FOLLOWING`, because follows made at the same moment may pass that limit by a few.
 */
export const MAX_MERGED_AUTHORS = 2100;
/** The most marks of such authors, with those who were unfollowed and whose tweets are still being taken out. */
export const MAX_MARKS = 2 * MAX_MERGED_AUTHORS;
/** The most months and parts of months of a timeline: of twenty years there are 9,120. */
export const MAX_TIMELINE_BUCKETS = 10_000;
/** How much a page reads. A month has at most 38 partitions of its own; most pages are full after one or two. */
export const TIMELINE_BOUNDS: ListBounds = { buckets: 32, partitions: 128, continuations: 48 };

/** The most months in which somebody followed others: of fifty years there are 600. */
export const MAX_FOLLOW_MONTHS = 600;

/** With more merged authors than this it is not looked for what stands in front of a page: that would read as much again. */
export const MAX_MERGED_BEHIND = 50;

/** Of each of many merged authors so many rows are read at first: see `firstRowsOf`. */
const FIRST_ROWS_PER_AUTHOR = 4;
const MAX_MONTHS = DEFAULT_BOUNDS.buckets + 1;

/** What a page of the newest reads: of merged authors their months, and a month or more of each. */
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

/** What a page of the most liked reads beside what it compares: whom the user follows, the most liked of each and, behind these, a page of the newest. */
export const MOST_LIKED_SOURCES: Cost = {
  reads: 2 * MAX_MERGED_AUTHORS + MAX_FOLLOW_MONTHS,
  rows: 10 * MAX_MERGED_AUTHORS,
};
