import type { Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { removalOf, writeOf } from '../../kit/cassandra/write';
import { readMany } from '../../kit/reads/load';
import { threadEntries } from '../../features/thread/thread.lists';
import { deletedTweets, tweetLinks, tweets, type StoredTweet } from '../../features/tweet/tweet.table';
import { isNewTweet } from '../../features/tweet/new-tweet';
import { joinProperties, type DerivationSource, type DerivedTable } from '../derived-table';

/** The properties of a tweet that decide its place in a conversation. */
type Placed = Pick<StoredTweet, 'tweetId' | 'inReplyToId'> & {
  readonly authorId: string | null;
  readonly rootId?: string | null;
};

/** The row of a reply in its conversation; none for other tweets. */
export function buildThreadEntry(tweet: Placed, { isGone = false } = {}): Write[] {
  const { tweetId, authorId, inReplyToId, rootId } = tweet;
  if (inReplyToId === null || rootId == null || rootId === tweetId) return [];
  const entry = { rootId, tweetId, parentId: inReplyToId, authorId };
  return [writeOf(threadEntries, isGone ? { ...entry, isGone } : entry)];
}

/** The removal of the row that a reply has in another conversation than its own. */
export function buildEntryRemoval({ tweetId, inReplyToId, rootId }: Placed): Write[] {
  if (inReplyToId === null || rootId == null || rootId === tweetId) return [];
  return [removalOf(threadEntries, { rootId, tweetId })];
}

/** The replies that are there, and those that were deleted. */
function entrySource(table: typeof tweets | typeof deletedTweets): DerivationSource {
  return {
    table,
    keyOf: (key) => joinProperties(key, 'tweetId'),
    async *writesOf({ database }, tweetIds) {
      const keys = tweetIds.map((tweetId) => ({ tweetId }));
      const [links, deleted] = await Promise.all([
        readMany(database, tweetLinks.get, keys),
        readMany(database, deletedTweets.get, keys),
      ]);
      yield tweetIds.flatMap((_, index) => {
        const gone: Row<typeof deletedTweets> | null = deleted[index] ?? null;
        const stored = links[index] ?? null;
        if (gone !== null) return buildThreadEntry(gone, { isGone: true });
        return stored === null ? [] : buildThreadEntry(stored);
      });
    },
  };
}

/** The rows of conversations. */
export const threadTable: DerivedTable = {
  table: threadEntries,
  sources: [entrySource(tweets), entrySource(deletedTweets)],
  sourceKeyOf: (row) => joinProperties(row, 'tweetId'),
  isTransient: (_, row) => isNewTweet(row),
};
