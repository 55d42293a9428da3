import { listBuckets } from '../../kit/lists/list-buckets';
import { splitPagesOf, stretchReads } from '../../kit/lists/page-bounds';
import { rowsOf, upTo, type TableBound } from '../../kit/cost/reads';
import { FREE } from '../../kit/cost/cost';
import { relations } from '../follow/follow.table';
import { SIGHT_READS } from '../hidden/hidden-reads';
import { deletedReplies, repliesByTweet } from '../tweet/tweet.lists';
import { DELETIONS } from '../tweet/tweet-reads';
import { deletedTweets, tweetCounts, tweets } from '../tweet/tweet.table';
import { MAX_ANCESTORS } from './ancestors';
import { FIRST_ENTRIES } from './read-entries';
import { threadEntries } from './thread.lists';
import { MAX_COMPARED } from './thread-page';
import { ThreadOrder } from './tree';

const pages = splitPagesOf(threadEntries);

/** The reads of the entries of a conversation. Most have few entries; for others `readEntries` reserves more. */
const ENTRIES: TableBound = {
  table: pages.table,
  bytes: (asked) => pages.bytes({ ...asked, limit: FIRST_ENTRIES }),
  cost: (asked) => pages.cost({ ...asked, limit: FIRST_ENTRIES }),
};

const perItem = ({ limit }: { readonly limit: number }) => ({ reads: limit, rows: limit });

/** The reads of a page of ancestors. Long paths also need the entries of the conversation, for which the page reserves. */
export const ANCESTOR_READS: readonly TableBound[] = [
  rowsOf(tweets, MAX_ANCESTORS + 1),
  rowsOf(deletedTweets, MAX_ANCESTORS),
  { ...upTo(threadEntries, () => FREE), otherTables: [listBuckets.name] },
  ...SIGHT_READS,
];

/** The reads of a page of a thread. */
export const THREAD_READS: readonly TableBound[] = [
  ENTRIES,
  stretchReads(),
  rowsOf(tweets),
  upTo(tweets, perItem),
  // Whether the authors of the tweets replied to, and the viewer, block the authors.
  upTo(relations, ({ limit }) => ({ reads: 2 * limit, rows: 2 * limit })),
  upTo(tweetCounts, ({ args }) =>
    args['order'] === ThreadOrder.MOST_LIKED ? { reads: MAX_COMPARED, rows: MAX_COMPARED } : FREE,
  ),
  // Only conversations that are too large to be put in order need these, and the page reserves for them.
  {
    ...upTo(repliesByTweet, () => FREE),
    otherTables: [deletedReplies, tweetCounts, tweets].map(({ name }) => name),
  },
  DELETIONS,
  ...SIGHT_READS,
];
