import { readMany } from '../kit/reads/load';
import { createBulkWriter } from '../kit/writes/bulk';
import { createTally } from '../kit/work/tally';
import { refreshTweetCounts } from '../write/tweet/tweet-counts';
import { tweetCounts, tweets } from '../features/tweet/tweet.table';
import { refreshUserCounts } from '../write/user/user-counts';
import { indexUser } from '../write/user-search/index-users';
import { userCounts, users } from '../features/user/user.table';
import type { Job } from './job';
import { removeSurplus } from './rebuild';
import { findDifferences, inChunks, recountChunk, recountKinds, type Difference } from './recount';
import { requireNoImport } from './require-no-import';
import { readSample } from './sample';
import type { DerivationOptions, DerivedTable } from '../write/derived-table';
import { verifyRows } from './verify';

/** How many users or tweets get their counts from the tallies at a time. */
const REFRESHED_AT_ONCE = 50;

/** The counts of users. A user who does not exist must have none. */
const ofUsers: DerivedTable = {
  table: userCounts,
  sources: [],
  sourceKeyOf: () => '',
  async areAllowed({ database }, rows) {
    const keys = rows.map((row) => ({ userId: String(row['userId']) }));
    return (await readMany(database, users.get, keys)).map((user) => user !== null);
  },
};

/** The counts of tweets. A tweet that does not exist must have none. */
const ofTweets: DerivedTable = {
  table: tweetCounts,
  sources: [],
  sourceKeyOf: () => '',
  async areAllowed({ database }, rows) {
    const keys = rows.map((row) => ({ tweetId: String(row['tweetId']) }));
    return (await readMany(database, tweets.get, keys)).map((tweet) => tweet !== null);
  },
};

/**
 * The job of a table of counts: copies what mutations added from the tallies, and finds the rest by counting rows, as
 * `npm run recount` does.
 */
function countJob(
  counts: DerivedTable,
  kind: Difference['kind'],
  source: { readonly keys: { readonly all: string; readonly from: string } },
  refresh: (context: DerivationOptions) => (id: string) => Promise<void>,
): Job {
  const { ids } = recountKinds[kind];
  return {
    name: counts.table.name,
    async rebuild(context, onProgress) {
      const { database } = context;
      const rebuilt = { looked: 0, written: 0, removed: 0, refused: 0 };
      await requireNoImport(database);
      const refreshOne = refresh(context);
      for await (const chunk of inChunks(database, ids)) {
        for (let n = 0; n < chunk.length; n += REFRESHED_AT_ONCE)
          await Promise.all(chunk.slice(n, n + REFRESHED_AT_ONCE).map(refreshOne));
        rebuilt.written += (await recountChunk(database, recountKinds[kind], chunk)).length;
        rebuilt.looked += chunk.length;
        onProgress(rebuilt);
      }
      await removeSurplus(context, counts, rebuilt, onProgress);
      return rebuilt;
    },
    async verify(context, size) {
      const { database } = context;
      const keys = await readSample(database, source.keys, size);
      const sampled = keys.map((key) => String(Object.values(key)[0]));
      const wrong = await findDifferences(database, recountKinds[kind], sampled);
      const surplus = await verifyRows(context, counts, size);
      const examples = wrong.map(
        ({ id, count, shown, counted }) => `${id}: ${count} is ${shown}, not ${counted}`,
      );
      return {
        ...surplus,
        looked: surplus.looked + sampled.length,
        different: wrong.length,
        examples: [...examples, ...surplus.examples].slice(0, 3),
      };
    },
  };
}

/** The jobs of the tables of counts. */
export const countJobs: readonly Job[] = [
  countJob(ofUsers, 'user', users, ({ database }) => {
    const tally = createTally(database);
    return async (userId) => {
      if (await refreshUserCounts({ database, tally }, userId)) await indexUser(database, userId);
    };
  }),
  countJob(ofTweets, 'tweet', tweets, ({ database }) => {
    const counting = { database, tally: createTally(database), bulk: createBulkWriter(database) };
    return (tweetId) => refreshTweetCounts(counting, tweetId);
  }),
];
