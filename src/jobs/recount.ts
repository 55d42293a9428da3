import { setTimeout as sleep } from 'node:timers/promises';
import { createCounter } from '../import/store/count';
import { readGivenCounts } from '../import/store/given-counts';
import { waitForLikes } from '../import/store/tweet-counts';
import { createBulkWriter } from '../kit/writes/bulk';
import type { Database } from '../kit/cassandra/database';
import { readMany } from '../kit/reads/load';
import { countRows } from '../kit/lists/count-rows';
import { magnitudeOf } from '../kit/base/magnitude';
import { readPending } from '../kit/work/pending';
import { createTally } from '../kit/work/tally';
import { readAlive } from '../kit/work/worker';
import { writeOf } from '../kit/cassandra/write';
import { likesByTweet } from '../features/like/like.lists';
import { listMostLiked } from '../write/tweet/top-rows';
import { quotesByTweet, repliesByTweet, sharesByTweet } from '../features/tweet/tweet.lists';
import { likesIn, tweetCounts, tweets } from '../features/tweet/tweet.table';
import { buildTopUserRows } from '../write/user/user-counts';
import { userCounts } from '../features/user/user.table';

/** A count that differs from the number of rows. */
export interface Difference {
  readonly kind: 'user' | 'tweet';
  readonly id: string;
  /** The name of the count, such as `likeCount`. */
  readonly count: string;
  readonly shown: number;
  readonly counted: number;
}

/** How many users or tweets are counted at a time. */
const CHUNK_ROWS = 1000;

/** How long a write may take, in milliseconds; a count that differs for longer is wrong. */
const MAX_WAIT_MS = 3000;

/** What is counted: users or tweets. */
interface Kind {
  /** The CQL that selects all ids as `id`. */
  readonly ids: string;
  /** Compares the counts with the rows, and resolves to the counts that differ. */
  readonly compare: (database: Database, ids: readonly string[]) => Promise<Difference[]>;
  /** Repairs counts that differ. */
  readonly repair: (database: Database, wrong: readonly Difference[]) => Promise<void>;
}

/** How users and tweets are counted. */
export const recountKinds: Readonly<Record<Difference['kind'], Kind>> = {
  user: {
    ids: 'SELECT CAST(user_id AS text) AS id FROM users',
    compare: compareUsers,
    repair: repairUsers,
  },
  tweet: {
    ids: 'SELECT CAST(tweet_id AS text) AS id FROM tweets',
    compare: compareTweets,
    repair: repairTweets,
  },
};

/** Counts everything again from the rows while servers keep serving, repairs the counts that differ, and yields them. */
export async function* recount(
  database: Database,
  onProgress: (counted: number) => void,
): AsyncIterable<Difference> {
  let counted = 0;
  for (const kind of [recountKinds.user, recountKinds.tweet]) {
    for await (const chunk of inChunks(database, kind.ids)) {
      const wrong = await findDifferences(database, kind, chunk);
      await kind.repair(database, wrong);
      yield* wrong;
      onProgress((counted += chunk.length));
    }
  }
}

/** Compares the counts of users or tweets with the rows. Resolves to the counts that still differ when writes under way are done. */
export async function findDifferences(
  database: Database,
  { compare }: Kind,
  ids: readonly string[],
): Promise<Difference[]> {
  const suspects = await compare(database, ids);
  if (suspects.length === 0) return [];
  // A count may differ because a write is under way, so it is compared again when that write is done.
  await passWrites(database);
  const again = await compare(database, [...new Set(suspects.map(({ id }) => id))]);
  return again.filter((difference) => suspects.some((other) => isSame(difference, other)));
}

/** Resolves when all writes that are under way now are done. Throws if tasks are pending and no server is alive to run them. */
export async function passWrites(database: Database): Promise<void> {
  const now = new Date();
  do await sleep(MAX_WAIT_MS);
  while (await hasWorkSince(database, now));
}

/** Whether a task that was enqueued by `moment` is not completed: a server that died may have left its writes half counted. */
async function hasWorkSince(database: Database, moment: Date): Promise<boolean> {
  const tasks = await readPending(database);
  const pending = tasks.filter(({ createdAt }) => createdAt !== null && createdAt <= moment);
  if (pending.length > 0 && (await readAlive(database)).length === 0)
    throw new Error(
      `${pending.length} tasks are not completed, and no server is running to complete them: start one first.`,
    );
  return pending.length > 0;
}

function isSame(a: Difference, b: Difference): boolean {
  return a.id === b.id && a.count === b.count && a.shown === b.shown && a.counted === b.counted;
}

/** The column `id` of all rows that `cql` selects, 1,000 at a time. */
export async function* inChunks(database: Database, cql: string): AsyncIterable<string[]> {
  let chunk: string[] = [];
  for await (const row of database.stream(cql, [])) {
    chunk.push(String(Reflect.get(row, 'id')));
    if (chunk.length < CHUNK_ROWS) continue;
    yield chunk;
    chunk = [];
  }
  yield chunk;
}

/** The counts of one user or tweet whose shown number is not the counted one. */
function differences(
  kind: Difference['kind'],
  id: string,
  counts: readonly (readonly [count: string, shown: number, counted: number])[],
): Difference[] {
  return counts.flatMap(([count, shown, counted]) =>
    shown === counted ? [] : [{ kind, id, count, shown, counted }],
  );
}

async function compareUsers(database: Database, userIds: readonly string[]): Promise<Difference[]> {
  const count = await createCounter(database, new Set(userIds));
  const [followers, following, posted, rows] = await Promise.all([
    count('followers', userIds),
    count('following', userIds),
    count('tweets', userIds),
    readMany(
      database,
      userCounts.get,
      userIds.map((userId) => ({ userId })),
    ),
  ]);
  return userIds.flatMap((id, index) => {
    const row = rows[index];
    return differences('user', id, [
      ['followerCount', (row?.importedFollowers ?? 0) + (row?.followers ?? 0), followers.get(id) ?? 0],
      ['followingCount', (row?.importedFollowing ?? 0) + (row?.following ?? 0), following.get(id) ?? 0],
      ['tweetCount', (row?.importedTweets ?? 0) + (row?.tweets ?? 0), posted.get(id) ?? 0],
    ]);
  });
}

async function compareTweets(database: Database, tweetIds: readonly string[]): Promise<Difference[]> {
  const keys = tweetIds.map((tweetId) => ({ tweetId }));
  const tally = createTally(database);
  const [given, rows, likes, shares, replies, quotes] = await Promise.all([
    readGivenCounts(database, keys),
    readMany(database, tweetCounts.get, keys),
    countRows(database, likesByTweet, tweetIds),
    countRows(database, sharesByTweet, tweetIds),
    countRows(database, repliesByTweet, tweetIds),
    countRows(database, quotesByTweet, tweetIds),
  ]);
  const compared = tweetIds.map(async (id, index) => {
    const row = rows[index];
    const source = given[index];
    // A source may give a number without the rows that it counts. The correct count is then that number plus what
    // mutations have added to the tallies.
    const isGiven = [source?.importedShares, source?.importedReplies, source?.importedQuotes].some(
      (count) => count != null,
    );
    const added = isGiven && row?.likes != null ? (await tally.totals(id)).counts : null;
    const counted = (from: number | null | undefined, list: string, found: number) =>
      from == null ? found : from + (added?.get(list) ?? 0);
    return differences('tweet', id, [
      [
        'likeCount',
        (row?.importedLikes ?? 0) + (row?.likes ?? 0),
        (source?.importedLikes ?? 0) + (likes.get(id) ?? 0),
      ],
      [
        'shareCount',
        (row?.importedShares ?? 0) + (row?.shares ?? 0),
        counted(source?.importedShares, 'shares', shares.get(id) ?? 0),
      ],
      [
        'replyCount',
        (row?.importedReplies ?? 0) + (row?.replies ?? 0),
        counted(source?.importedReplies, 'replies', replies.get(id) ?? 0),
      ],
      [
        'quoteCount',
        (row?.importedQuotes ?? 0) + (row?.quotes ?? 0),
        counted(source?.importedQuotes, 'quotes', quotes.get(id) ?? 0),
      ],
    ]);
  });
  return (await Promise.all(compared)).flat();
}

/** Corrects the addend of a count that mutations never write, so that mutations in between are not undone. */
async function repairUsers(database: Database, wrong: readonly Difference[]): Promise<void> {
  for (const { id: userId, count, shown, counted } of wrong) {
    const [row] = await readMany(database, userCounts.get, [{ userId }]);
    const importedFollowers =
      count === 'followerCount' ? (row?.importedFollowers ?? 0) + counted - shown : null;
    const importedFollowing =
      count === 'followingCount' ? (row?.importedFollowing ?? 0) + counted - shown : null;
    const importedTweets = count === 'tweetCount' ? (row?.importedTweets ?? 0) + counted - shown : null;
    const rows = importedFollowers === null ? [] : buildTopUserRows(userId, counted);
    const counts = writeOf(userCounts, { userId, importedFollowers, importedFollowing, importedTweets });
    for (const { query, params } of [...rows, counts]) await database.write(query, params);
  }
}

async function repairTweets(database: Database, wrong: readonly Difference[]): Promise<void> {
  for (const { id: tweetId, count, shown, counted } of wrong) {
    const [row] = await readMany(database, tweetCounts.get, [{ tweetId }]);
    const importedLikes = count === 'likeCount' ? (row?.importedLikes ?? 0) + counted - shown : null;
    const importedShares = count === 'shareCount' ? (row?.importedShares ?? 0) + counted - shown : null;
    const importedReplies = count === 'replyCount' ? (row?.importedReplies ?? 0) + counted - shown : null;
    const importedQuotes = count === 'quoteCount' ? (row?.importedQuotes ?? 0) + counted - shown : null;
    const [tweet] = await readMany(database, tweets.get, [{ tweetId }]);
    if (tweet && importedLikes !== null) {
      await listMostLiked(database, createBulkWriter(database), tweet, magnitudeOf(counted));
    }
    const { query, params } = writeOf(tweetCounts, {
      tweetId,
      importedLikes,
      importedShares,
      importedReplies,
      importedQuotes,
    });
    await database.write(query, params);
  }
  const liked = wrong.filter(({ count }) => count === 'likeCount');
  if (liked.length === 0) return;
  // A like that was counted meanwhile has listed its tweet by what was imported before.
  await waitForLikes(database, new Set(liked.map(({ id }) => id)));
  for (const { id: tweetId, counted } of liked) {
    const [row = null] = await readMany(database, tweetCounts.get, [{ tweetId }]);
    const [tweet] = await readMany(database, tweets.get, [{ tweetId }]);
    const magnitude = magnitudeOf(likesIn(row));
    if (tweet && magnitude !== magnitudeOf(counted))
      await listMostLiked(database, createBulkWriter(database), tweet, magnitude);
  }
}
