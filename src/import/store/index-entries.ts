import type { Database } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { putAll, type RowWriter } from '../../kit/data/row-writer';
import { FULL_SEGMENT, writeSegments } from '../../kit/postings/build-segments';
import { comparePlaces, keyOfPlace, type Entry } from '../../kit/postings/entry';
import type { InvertedIndex } from '../../kit/postings/inverted-index';
import { addEntries } from '../../kit/postings/unsealed';
import { commit } from '../../kit/postings/write-segment';
import { likedEntry, tweetEntry, tweetIndexesOf } from '../../search/tweet-index';
import type { tweets } from '../../tweet/tweet.table';

type TweetRow = Row<typeof tweets>;

/** Adds imported tweets to the indexes of words and hashtags. */
export interface IndexEntries {
  /** Adds tweets to the index of all tweets. `before` has the tweets as they were stored before, or null. */
  addTweets(tweets: readonly TweetRow[], before: readonly (TweetRow | null)[]): Promise<void>;
  /** Adds tweets to the index of the liked ones. */
  addLiked(tweets: readonly { readonly tweet: TweetRow; readonly magnitude: number }[]): Promise<void>;
  /** Stores what is left. */
  flush(): Promise<void>;
}

/**
 * Creates the `IndexEntries` of an import. Its entries become segments of 50,000 directly. Until then they are only in memory: an
 * import that is killed adds them when it is run again, because it looks which entries there are.
 */
export function createIndexEntries(database: Database, bulk: () => RowWriter): IndexEntries {
  const { newest, liked } = tweetIndexesOf(database);
  const all = createSegmentWriter(newest);
  const ofLiked = createSegmentWriter(liked);
  /** Tweets that this import has added, so that they are nowhere else, and those whose terms it has changed. */
  let added = new Set<string>();
  const changed = new Set<string>();
  return {
    async addTweets(tweets, before) {
      added = new Set(tweets.flatMap(({ tweetId }, index) => (before[index] == null ? tweetId : [])));
      const entries = tweets.map(tweetEntry);
      const replaced = entries.filter(({ terms }, index) => {
        const former = before[index];
        return former != null && tweetEntry(former).terms.join('\n') !== terms.join('\n');
      });
      for (const { id } of replaced) changed.add(id);
      await replace(newest.list, replaced, bulk);
      await all.add(
        entries.filter(({ id, terms }) => terms.length > 0 && !replaced.some((other) => other.id === id)),
        added,
      );
    },
    async addLiked(tweets) {
      const entries = tweets.flatMap(({ tweet, magnitude }) => likedEntry(tweet, magnitude) ?? []);
      await replace(
        liked.list,
        entries.filter(({ id }) => changed.has(id)),
        bulk,
      );
      await ofLiked.add(
        entries.filter(({ id, terms }) => terms.length > 0 && !changed.has(id)),
        added,
      );
    },
    async flush() {
      await all.flush();
      await ofLiked.flush();
      added.clear();
      changed.clear();
    },
  };
}

/** Adds entries with new terms. They take effect at once, and those in segments are superseded. */
function replace(list: string, entries: readonly Entry[], bulk: () => RowWriter): Promise<void> {
  return addEntries(list, entries, (writes) => putAll(bulk(), writes));
}

/** Collects entries of an index until they fill a segment. */
function createSegmentWriter(index: InvertedIndex) {
  const { database, list } = index;
  let pending = new Map<string, Entry>();
  const flush = async () => {
    if (pending.size === 0) return;
    const entries = [...pending.values()].sort(comparePlaces);
    pending = new Map();
    await commit(database, list, { added: await writeSegments(database, list, entries) });
  };
  return {
    /** Adds the entries that the index does not have. Those in `fresh` are known not to be there. */
    async add(entries: readonly Entry[], fresh: ReadonlySet<string>) {
      const unknown = entries.filter((entry) => !pending.has(keyOfPlace(entry)));
      const present = await index.having(unknown.filter(({ id }) => !fresh.has(id)));
      for (const entry of unknown) if (!present.has(keyOfPlace(entry))) pending.set(keyOfPlace(entry), entry);
      if (pending.size >= FULL_SEGMENT) await flush();
    },
    flush,
  };
}
