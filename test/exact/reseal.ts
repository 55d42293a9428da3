import { magnitudeOf } from '../../src/kit/base/magnitude';
import type { Database } from '../../src/kit/cassandra/database';
import { createBulkWriter } from '../../src/kit/writes/bulk';
import { readMany } from '../../src/kit/reads/load';
import { putAll } from '../../src/kit/writes/row-writer';
import { partOf } from '../../src/kit/postings/part';
import type { Entry } from '../../src/kit/postings/entry';
import type { InvertedIndex } from '../../src/kit/postings/inverted-index';
import { addEntries } from '../../src/kit/postings/unsealed';
import { likedEntry, tweetEntry, tweetIndexesIn } from '../../src/features/search/tweet-index';
import { likesIn, tweetCounts, tweets } from '../../src/features/tweet/tweet.table';
import type { Ask } from './ask';
import { chance, pickOne, randomFor } from '../crash/random';
import { killMaintenance } from './kill-maintenance';

/** How many tweets are added again at a time. */
const ADDED_AGAIN = 40;

const RELEASE = 'UPDATE leases SET holder = null WHERE name = ? IF EXISTS';

/** Which database is resealed, and how a process of its own finds it. */
interface Resealed {
  readonly database: Database;
  /** The settings by which another process opens the same keyspace. */
  readonly environment: NodeJS.ProcessEnv;
  readonly tweetIds: readonly string[];
  readonly seed: number;
  /** Called with whether a process was killed before it was done. */
  readonly onKill: (isCut: boolean) => void;
}

/**
 * Wraps `ask` so that the indexes change at random moments, which must change no answer: entries are added again, sealed and
 * merged. Some of this work is begun by processes that are killed at a random point.
 */
export function resealing(ask: Ask, { database, environment, tweetIds, seed, onKill }: Resealed): Ask {
  const random = randomFor(seed, 'reseal');
  const { newest, liked } = tweetIndexesIn(database);
  const add = (index: InvertedIndex, entries: readonly Entry[]) =>
    addEntries(index, entries, (writes) => putAll(createBulkWriter(database)(), writes));
  const addAgain = async () => {
    const ids = Array.from({ length: ADDED_AGAIN }, () => ({ tweetId: pickOne(random, tweetIds) ?? '0' }));
    const [found, counts] = await Promise.all([
      readMany(database, tweets.get, ids),
      readMany(database, tweetCounts.get, ids),
    ]);
    const stored = found.flatMap((tweet) => tweet ?? []);
    await add(
      newest,
      stored.map(tweetEntry).filter(({ terms }) => terms.length > 0),
    );
    await add(
      liked,
      found.flatMap(
        (tweet, index) => (tweet && likedEntry(tweet, magnitudeOf(likesIn(counts[index] ?? null)))) ?? [],
      ),
    );
  };
  const maintain = async (index: InvertedIndex) => {
    if (chance(random, 0.3)) {
      onKill(await killMaintenance(index.list, random() * 200, environment));
      // Instead of waiting until the lease of the killed process expires.
      await database.compareAndWrite([{ query: RELEASE, params: [partOf(index.list).lease] }]);
    }
    // What a killed process leaves is as it was, or is done by this.
    await index.maintain({ afterMs: 0, ageMs: 0 });
  };
  return async (source, variables) => {
    if (chance(random, 0.05)) await addAgain();
    if (chance(random, 0.03)) await maintain(chance(random, 0.5) ? newest : liked);
    return ask(source, variables);
  };
}
