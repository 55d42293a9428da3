import { setTimeout as sleep } from 'node:timers/promises';
import { magnitudeOf } from '../kit/base/magnitude';
import { shuffled } from '../kit/base/random';
import type { Database } from '../kit/cassandra/database';
import type { Row } from '../kit/cassandra/table';
import { takeLease, type Lease } from '../kit/writes/lease';
import { createLoad, readMany } from '../kit/reads/load';
import { placeAt, placesIn, type Entry, type Place } from '../kit/postings/entry';
import type { Tester } from '../kit/postings/find';
import type { InvertedIndex } from '../kit/postings/inverted-index';
import { decodeOrdinals, intersect, ordinalsWithout } from '../kit/postings/ordinals';
import { postings, segmentEntries } from '../kit/postings/postings.table';
import { CHUNK_ENTRIES, nameChunk } from '../kit/postings/segment';
import { createTweetIndexes, likedEntry, tweetEntry, tweetIndexesIn } from '../features/search/tweet-index';
import { findTweetTerms } from '../features/search/words';
import { likesIn, tweetCounts, tweets, type TweetRow } from '../features/tweet/tweet.table';
import type { Job } from './job';
import { passWrites } from './recount';
import { requireNoImport } from './require-no-import';
import { readSample } from './sample';

/** How long to wait before trying again to take a lease that a server holds. */
const RETRY_PAUSE_MS = 500;

/**
 * The job of the inverted indexes: builds all segments anew from the tweets, or compares samples. Building holds the ids of
 * all tweets in memory, 16 bytes each.
 */
export const indexesJob: Job = {
  name: postings.name,
  async rebuild({ database }, onProgress) {
    const rebuilt = { looked: 0, written: 0, removed: 0, refused: 0 };
    await requireNoImport(database);
    const { newest, liked } = tweetIndexesIn(database);
    const sources = [
      [newest, tweetPlaces(database)],
      [liked, likedPlaces(database)],
    ] as const;
    for (const [index, places] of sources) {
      const before = rebuilt.looked;
      rebuilt.written += await rebuildIndex(index, places, (done) => {
        rebuilt.looked = before + done;
        onProgress(rebuilt);
      });
    }
    return rebuilt;
  },
  async verify({ database }, size) {
    const sampled = (await readSample(database, tweets.rows, size)) as unknown as TweetRow[];
    const rows = (await readSample(database, postings.rows, size)) as unknown as Row<typeof postings>[];
    let [missing, surplus] = [await findMissing(database, sampled), await findSurplus(database, rows)];
    if (missing.length + surplus.length > 0) {
      await passWrites(database);
      // Those that were deleted meanwhile need not be found.
      const there = await readMany(database, tweets.get, missing);
      missing = await findMissing(
        database,
        there.filter((tweet) => tweet !== null),
      );
      surplus = await findSurplus(database, surplus);
    }
    const examples = [
      ...missing.map(({ tweetId }) => `missing: tweet ${tweetId}`),
      ...surplus.map(({ list, term, segment }) => `surplus: list ${list}, term ${term}, segment ${segment}`),
    ];
    return {
      looked: sampled.length + rows.length,
      missing: missing.length,
      surplus: surplus.length,
      different: 0,
      examples: examples.slice(0, 3),
    };
  },
};

async function* tweetPlaces(database: Database): AsyncIterable<Place> {
  for await (const row of database.stream(tweets.keys.all, []))
    yield { rank: 0, id: (row as { tweetId: string }).tweetId };
}

async function* likedPlaces(database: Database): AsyncIterable<Place> {
  for await (const row of database.stream(tweetCounts.rows.all, [])) {
    const counts = row as Row<typeof tweetCounts>;
    const rank = magnitudeOf(likesIn(counts));
    if (rank > 0) yield { rank, id: counts.tweetId };
  }
}

async function rebuildIndex(
  index: InvertedIndex,
  places: AsyncIterable<Place>,
  onProgress: (done: number) => void,
): Promise<number> {
  const { parts } = await index.update();
  const leases: Lease[] = [];
  try {
    for (const part of parts) leases.push(await waitForLease(index.database, part.lease));
    const confirm = async () => {
      await requireNoImport(index.database);
      for (const lease of leases) await lease.keep(null);
    };
    return await index.rebuild(places, confirm, onProgress);
  } finally {
    for (const lease of leases) await lease.release();
  }
}

async function waitForLease(database: Database, name: string): Promise<Lease> {
  for (;;) {
    const lease = await takeLease(database, name);
    if (lease !== null) return lease;
    await sleep(RETRY_PAUSE_MS);
  }
}

/** How many of a tweet's terms are tried. */
const TRIED_TERMS = 3;

/** Finds those of the tweets that are not found by their words, or not among the liked ones. */
async function findMissing(database: Database, sampled: readonly TweetRow[]): Promise<TweetRow[]> {
  // Indexes that have kept nothing, so that what is stored is compared.
  const { newest, liked } = createTweetIndexes(database);
  const counts = await readMany(
    database,
    tweetCounts.get,
    sampled.map(({ tweetId }) => ({ tweetId })),
  );
  const missing: TweetRow[] = [];
  for (const [index, tweet] of sampled.entries()) {
    const ofLiked = likedEntry(tweet, magnitudeOf(likesIn(counts[index] ?? null)));
    const isFound =
      (await has(newest, tweetEntry(tweet))) && (ofLiked === null || (await has(liked, ofLiked)));
    if (!isFound) missing.push(tweet);
  }
  return missing;
}

/** Whether an entry is found by some of its terms. */
async function has(index: InvertedIndex, { rank, id, terms }: Entry): Promise<boolean> {
  const slice = { after: { rank, id: String(BigInt(id) + 1n) }, reversed: false, limit: 1 };
  for (const term of shuffled(terms).slice(0, TRIED_TERMS)) {
    const { rows } = await index.find(createLoad(index.database), [term], slice, UNTESTED);
    if (rows[0]?.id !== id || rows[0].rank !== rank) return false;
  }
  return true;
}

/** A single term needs no test. */
const UNTESTED: Tester = { left: 0, test: () => Promise.resolve([]) };

/** Finds those of the postings with tweets that do not have the term. */
async function findSurplus(
  database: Database,
  rows: readonly Row<typeof postings>[],
): Promise<Row<typeof postings>[]> {
  const { newest, liked } = createTweetIndexes(database);
  const found: Row<typeof postings>[] = [];
  for (const index of [newest, liked]) {
    const { segments } = await index.update();
    for (const row of rows) {
      const segment =
        row.list === index.list ? segments.find({ segment: row.segment, first: row }) : undefined;
      if (segment === undefined) continue;
      const all = intersect([decodeOrdinals(row.ordinals)]);
      const current = segment.superseded === null ? all : ordinalsWithout(all, segment.superseded);
      const ordinal = current[Math.floor(Math.random() * current.length)];
      if (ordinal === undefined) continue;
      const chunk = nameChunk(segment, Math.floor(ordinal / CHUNK_ENTRIES));
      const [stored] = await readMany(database, segmentEntries.get, [{ chunk }]);
      const at = ordinal % CHUNK_ENTRIES;
      const place = stored && at < placesIn(stored.places) ? placeAt(stored.places, at) : null;
      const [tweet = null] = place ? await readMany(database, tweets.get, [{ tweetId: place.id }]) : [];
      if (place === null || (tweet !== null && !findTweetTerms(tweet).includes(row.term))) found.push(row);
    }
  }
  return found;
}
