import { setTimeout as sleep } from 'node:timers/promises';
import { magnitudeOf } from '../../kit/base/magnitude';
import type { Database } from '../../kit/cassandra/database';
import { readMany } from '../../kit/reads/load';
import { putAll, type RowWriter } from '../../kit/writes/row-writer';
import { fillsSegment, writeSegments } from '../../kit/postings/build-segments';
import { addSegments } from '../../kit/postings/commit';
import { comparePlaces, keyOfPlace, measureEntry, type Entry } from '../../kit/postings/entry';
import type { InvertedIndex } from '../../kit/postings/inverted-index';
import { INDEX_LIMITS } from '../../kit/postings/limits';
import { partOf } from '../../kit/postings/part';
import { addEntries } from '../../kit/postings/unsealed';
import { likedEntry, tweetEntry, tweetIndexesIn } from '../../features/search/tweet-index';
import { likesIn, tweetCounts, type TweetRow } from '../../features/tweet/tweet.table';

/** A tweet, and the magnitude of its likes. */
export interface LikedTweet {
  readonly tweet: TweetRow;
  readonly magnitude: number;
  /** The magnitude that is stored, if it is known. */
  readonly before?: number;
}

/** Adds imported tweets to the indexes of words and hashtags. */
export interface IndexEntries {
  /**
   * Adds tweets whose words have changed again. `before` has the tweets as they were stored, or null. Call it twice. Before the
   * tweets are stored: after a kill, a repetition could no longer see the change. After they are stored: a merge of segments in
   * between would have used the old words.
   */
  replaceChanged(tweets: readonly TweetRow[], before: readonly (TweetRow | null)[]): Promise<void>;
  /** Adds stored tweets that are not in the index of all tweets; `before` is as above. */
  addTweets(tweets: readonly TweetRow[], before: readonly (TweetRow | null)[]): Promise<void>;
  /** Adds tweets to the index of the liked ones, before their counts are stored. */
  addLiked(tweets: readonly LikedTweet[]): Promise<void>;
  /** Stores what is left. */
  flush(): Promise<void>;
}

/** New terms take effect by way of the unsealed entries, which are sealed when there are many. */
const SEALED_AFTER_MS = 3_600_000;

/**
 * Creates the `IndexEntries` of an import. Entries of new tweets become segments of 50,000 directly. Until then they are only in memory: an
 * import that was killed adds them when it is run again, because it looks which entries there are.
 */
export function createIndexEntries(database: Database, bulk: () => RowWriter): IndexEntries {
  const { newest, liked } = tweetIndexesIn(database);
  const ofAll = createSegmentWriter(newest, bulk);
  const ofLiked = createSegmentWriter(liked, bulk);
  /** The tweets of the last call of `addTweets` that are new. */
  let added: ReadonlySet<string> = new Set();
  return {
    async replaceChanged(tweets, before) {
      const changed = tweets.filter((tweet, index) => {
        const former = before[index];
        return former != null && tweetEntry(former).terms.join('\n') !== tweetEntry(tweet).terms.join('\n');
      });
      const counts = await readMany(
        database,
        tweetCounts.get,
        changed.map(({ tweetId }) => ({ tweetId })),
      );
      await ofAll.replace(changed.map(tweetEntry));
      await ofLiked.replace(
        changed.flatMap(
          (tweet, index) => likedEntry(tweet, magnitudeOf(likesIn(counts[index] ?? null))) ?? [],
        ),
      );
    },
    async addTweets(tweets, before) {
      added = new Set(tweets.flatMap(({ tweetId }, index) => (before[index] == null ? tweetId : [])));
      const entries = withTerms(tweets.map(tweetEntry));
      await ofAll.add(entries.filter(({ id }) => added.has(id)));
      await ofAll.add(await ofAll.missing(entries.filter(({ id }) => !added.has(id))));
    },
    async addLiked(tweets) {
      const isNew = ({ tweet }: LikedTweet) => added.has(tweet.tweetId);
      const [created, stored] = [tweets.filter(isNew), tweets.filter((one) => !isNew(one))];
      await ofLiked.add(withTerms(makeEntries(created)));
      // The lists of the most liked must not miss a tweet whose count changes, so these entries take effect at once. An earlier
      // entry of the new magnitude may have other words, or be dropped by a merge, so it is replaced, also by one without words.
      const moved = stored.filter(({ magnitude, before }) => magnitude !== before);
      const unmoved = stored.filter(({ magnitude, before }) => magnitude === before);
      const missing = await ofLiked.missing(withTerms(makeEntries(unmoved)));
      await ofLiked.replace([...makeEntries(moved), ...missing]);
    },
    async flush() {
      await ofAll.flush();
      await ofLiked.flush();
      added = new Set();
    },
  };
}

function makeEntries(tweets: readonly LikedTweet[]): Entry[] {
  return tweets.flatMap(({ tweet, magnitude }) => likedEntry(tweet, magnitude) ?? []);
}

function withTerms(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ terms }) => terms.length > 0);
}

/** While the unsealed entries take more than this of the memory that they may, an import waits, so that servers need not refuse posts. */
const MAX_FULLNESS = 1 / 2;
const PAUSE_MS = 1000;

/** Collects entries of an index until they fill a segment. */
function createSegmentWriter(index: InvertedIndex, bulk: () => RowWriter) {
  const { database } = index;
  const pending = new Map<string, Entry>();
  let bytes = 0;
  let flushes = 0;
  const flush = async () => {
    if (pending.size === 0) return;
    const entries = [...pending.values()].sort(comparePlaces);
    const { segments, parts } = await index.update();
    const part = partOf(index.list, flushes++ % parts.length, parts.length);
    await addSegments(database, part, await writeSegments(database, part, segments, entries));
    pending.clear();
    bytes = 0;
  };
  return {
    /** Returns those of the entries that the index does not have. */
    async missing(entries: readonly Entry[]): Promise<Entry[]> {
      if (entries.length === 0) return [];
      const unknown = entries.filter((entry) => !pending.has(keyOfPlace(entry)));
      const present = await index.having(unknown);
      return unknown.filter((entry) => !present.has(keyOfPlace(entry)));
    },
    /** Adds entries that the index does not have. */
    async add(entries: readonly Entry[]) {
      for (const entry of entries) {
        pending.set(keyOfPlace(entry), entry);
        bytes += measureEntry(entry);
      }
      if (fillsSegment({ entries: pending.size, bytes }, INDEX_LIMITS)) await flush();
    },
    /** Adds entries that take effect at once, in place of those that the index may have. */
    async replace(entries: readonly Entry[]) {
      if (entries.length === 0) return;
      // The update finds the parts of the list, to which the entries go.
      await index.update();
      await addEntries(index, entries, (writes) => putAll(bulk(), writes));
      for (const entry of entries) pending.delete(keyOfPlace(entry));
      await index.maintain({ afterMs: SEALED_AFTER_MS });
      while (index.fullness() > MAX_FULLNESS) {
        await sleep(PAUSE_MS);
        await index.maintain({ afterMs: SEALED_AFTER_MS });
      }
    },
    flush,
  };
}
