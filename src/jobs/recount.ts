import { setTimeout as sleep } from 'node:timers/promises';
import { createCounter } from '../import/store/count';
import { countAtVersion, writesOfTweet, writesOfUser } from '../import/store/count-at-version';
import { readGivenCounts } from '../import/store/given-counts';
import { waitForLikes } from '../import/store/tweet-counts';
import { createBulkWriter } from '../kit/writes/bulk';
import type { Database } from '../kit/cassandra/database';
import type { Row } from '../kit/cassandra/table';
import type { Statement } from '../kit/cassandra/statement';
import { readMany } from '../kit/reads/load';
import { countRows } from '../kit/lists/count-rows';
import { magnitudeOf } from '../kit/base/magnitude';
import { readPending } from '../kit/work/pending';
import { createTally } from '../kit/work/tally';
import { readAlive } from '../kit/work/worker';
import { writeOf } from '../kit/cassandra/write';
import { likesByTweet } from '../features/like/like.lists';
import { EXPORT_ACCOUNT } from '../write/account/collect-export';
import { listMostLiked } from '../write/tweet/top-rows';
import { quotesByTweet, repliesByTweet, sharesByTweet } from '../features/tweet/tweet.lists';
import { likesIn, tweetCounts, tweets } from '../features/tweet/tweet.table';
import { buildTopUserRows } from '../write/user/user-counts';
import { indexUser } from '../write/user-search/index-users';
import { userCounts } from '../features/user/user.table';
import { requireNoImport } from './require-no-import';

/** A count that differs from the number of rows. */
export interface Difference {
  readonly kind: 'user' | 'tweet';
  readonly id: string;
  /** The name of the count, such as `likeCount`. */
  readonly count: string;
  readonly shown: number;
  readonly counted: number;
  /** The addend in `shown` that imports and repairs write, and mutations never do. */
  readonly imported: number;
}

/** How many users or tweets are counted at a time. */
const CHUNK_ROWS = 1000;

/** How long a write may take, in milliseconds; a count that differs for longer is wrong. */
const MAX_WAIT_MS = 3000;
/** After how long it is first said what is waited for, and how often, in milliseconds. */
const [SILENT_MS, TOLD_EVERY_MS] = [10_000, 60_000];
/** After how many milliseconds to look whether the tasks of what changes all the time are completed. */
const TASK_PAUSE_MS = 100;

type Compare = (database: Database, ids: readonly string[]) => Promise<Difference[]>;

/** The means of counting the rows of users, or those of tweets. */
interface Kind {
  /** The CQL that selects all ids as `id`. */
  readonly ids: string;
  /** Compares the counts with the rows, and resolves to the counts that differ. */
  readonly compare: Compare;
  /** The same for what writes change all the time: as of a moment at which none was under way. Leaves out what had no such moment. */
  readonly compareSteadily: Compare;
  /** Repairs counts that differ. Resolves to those that nobody else has repaired meanwhile. */
  readonly repair: (database: Database, wrong: readonly Difference[]) => Promise<Difference[]>;
}

/** The means of counting, for users and for tweets. */
export const recountKinds: Readonly<Record<Difference['kind'], Kind>> = {
  user: {
    ids: 'SELECT CAST(user_id AS text) AS id FROM users',
    compare: compareUsers,
    compareSteadily: steadily((userId) => ({ userId }), writesOfUser, compareUsers),
    repair: repairUsers,
  },
  tweet: {
    ids: 'SELECT CAST(tweet_id AS text) AS id FROM tweets',
    compare: compareTweets,
    compareSteadily: steadily((tweetId) => ({ tweetId }), writesOfTweet, compareTweets),
    repair: repairTweets,
  },
};

/** Counts everything again from the rows while servers keep serving, repairs the counts that differ, and yields them. */
export async function* recount(
  database: Database,
  onProgress: (counted: number) => void,
): AsyncIterable<Difference> {
  let counted = 0;
  await requireNoImport(database);
  for (const kind of [recountKinds.user, recountKinds.tweet]) {
    for await (const chunk of inChunks(database, kind.ids)) {
      yield* await recountChunk(database, kind, chunk);
      onProgress((counted += chunk.length));
    }
  }
}

/** Repairs the counts of users or tweets that differ from the rows, and resolves to them. */
export async function recountChunk(
  database: Database,
  kind: Kind,
  ids: readonly string[],
): Promise<Difference[]> {
  return kind.repair(database, await findDifferences(database, kind, ids));
}

/**
 * Compares the counts of users or tweets with the rows. Resolves to the counts that still differ when writes under way are done, also of
 * those that others change all the time. Throws if some differ and an import is running.
 */
export async function findDifferences(
  database: Database,
  { compare, compareSteadily }: Kind,
  ids: readonly string[],
): Promise<Difference[]> {
  const suspects = await compare(database, ids);
  if (suspects.length === 0) return [];
  // A count may differ because a write is under way, so it is compared again when that write is done.
  await passWrites(database);
  const again = await compare(database, idsOf(suspects));
  const [same, moved]: [Difference[], Difference[]] = [[], []];
  for (const difference of again) {
    const before = suspects.find((other) => isOfSame(difference, other));
    if (before?.shown === difference.shown && before.counted === difference.counted) same.push(difference);
    else if (before) moved.push(difference);
  }
  if (moved.length === 0) return same;
  const steady = await compareSteadily(database, idsOf(moved));
  return [...same, ...steady.filter((difference) => moved.some((other) => isOfSame(difference, other)))];
}

function idsOf(all: readonly Pick<Difference, 'id'>[]): string[] {
  return [...new Set(all.map(({ id }) => id))];
}

/** Returns a comparison as of one version of the counts. `writesOf` reads the version under a key. */
function steadily<Key, Writes extends { readonly version: string | null }>(
  keyOf: (id: string) => Key,
  writesOf: Statement<Key, Writes | null>,
  compare: Compare,
): Compare {
  return async (database, ids) => {
    const keys = ids.map((id) => ({ ...keyOf(id), id }));
    const countOf = async (chunk: readonly { readonly id: string }[]) => {
      const found = Map.groupBy(await compare(database, idsOf(chunk)), ({ id }) => id);
      return chunk.map(({ id }) => found.get(id) ?? []);
    };
    const compared = await countAtVersion(database, keys, writesOf, countOf, passTasks);
    const steady = compared.flatMap(({ isSteady, count = [] }) => (isSteady ? count : []));
    if (steady.length > 0) await requireNoImport(database);
    return steady;
  };
}

/**
 * Resolves when all writes that are under way now are done. Throws if tasks are pending and no server is alive to run them, or if an import
 * is running or unfinished.
 */
export async function passWrites(database: Database): Promise<void> {
  await passTasks(database, MAX_WAIT_MS);
  await requireNoImport(database);
}

/**
 * Resolves when all tasks that are pending now, and that write, are completed. It looks after `firstMs` milliseconds, and then less and less
 * often. Says on stderr for which tasks it waits if that takes long: some grow with the data, and may take hours.
 */
async function passTasks(database: Database, firstMs = TASK_PAUSE_MS): Promise<void> {
  // A task is stored before its rows. So all rows that were seen before belong to these tasks, or to completed ones.
  const known = new Set((await readPending(database)).map(({ taskId }) => taskId));
  let toldAt = performance.now() + SILENT_MS - TOLD_EVERY_MS;
  for (let pauseMs = firstMs; ; pauseMs = Math.min(2 * pauseMs, MAX_WAIT_MS)) {
    await sleep(pauseMs);
    const pending = (await readPending(database)).filter(
      ({ taskId, kind }) => known.has(taskId) && kind !== EXPORT_ACCOUNT,
    );
    if (pending.length === 0) return;
    // A server that died may have left its writes half counted.
    if ((await readAlive(database)).length === 0)
      throw new Error(
        `${pending.length} tasks are not completed, and no server is running to complete them: start one first.`,
      );
    if (performance.now() - toldAt < TOLD_EVERY_MS) continue;
    toldAt = performance.now();
    const kinds = Map.groupBy(pending, ({ kind }) => kind);
    const counts = Array.from(kinds, ([kind, { length }]) => `${length} ${kind}`).join(', ');
    process.stderr.write(`\nWaiting for tasks of the servers: ${counts}\n`);
  }
}

/** Whether two differences are of the same count. */
function isOfSame(a: Difference, b: Difference): boolean {
  return a.id === b.id && a.count === b.count;
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

/** The counts of one user or tweet whose shown number, the sum of what was imported and added, is not the counted one. */
function differences(
  { kind, id }: Pick<Difference, 'kind' | 'id'>,
  addends: Addends,
  counts: readonly (readonly [count: string, added: number | null | undefined, counted: number])[],
): Difference[] {
  return counts.flatMap(([count, added, counted]) => {
    const imported = addends[count] ?? 0;
    const shown = imported + (added ?? 0);
    return shown === counted ? [] : [{ kind, id, count, shown, counted, imported }];
  });
}

/** The addends of counts that imports and repairs write, by the names of the counts. */
type Addends = Readonly<Record<string, number>>;

function addendsOfUser(row: Row<typeof userCounts> | null | undefined): Addends {
  return {
    followerCount: row?.importedFollowers ?? 0,
    followingCount: row?.importedFollowing ?? 0,
    tweetCount: row?.importedTweets ?? 0,
  };
}

function addendsOfTweet(row: Row<typeof tweetCounts> | null | undefined): Addends {
  return {
    likeCount: row?.importedLikes ?? 0,
    shareCount: row?.importedShares ?? 0,
    replyCount: row?.importedReplies ?? 0,
    quoteCount: row?.importedQuotes ?? 0,
  };
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
    return differences({ kind: 'user', id }, addendsOfUser(row), [
      ['followerCount', row?.followers, followers.get(id) ?? 0],
      ['followingCount', row?.following, following.get(id) ?? 0],
      ['tweetCount', row?.tweets, posted.get(id) ?? 0],
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
    return differences({ kind: 'tweet', id }, addendsOfTweet(row), [
      ['likeCount', row?.likes, (source?.importedLikes ?? 0) + (likes.get(id) ?? 0)],
      ['shareCount', row?.shares, counted(source?.importedShares, 'shares', shares.get(id) ?? 0)],
      ['replyCount', row?.replies, counted(source?.importedReplies, 'replies', replies.get(id) ?? 0)],
      ['quoteCount', row?.quotes, counted(source?.importedQuotes, 'quotes', quotes.get(id) ?? 0)],
    ]);
  });
  return (await Promise.all(compared)).flat();
}

/**
 * Corrects the addend of a count that mutations never write, so that mutations in between are not undone. If it is not as it was compared, an
 * import or another recount has written it, and this difference no longer is.
 */
async function repairUsers(database: Database, wrong: readonly Difference[]): Promise<Difference[]> {
  const repaired: Difference[] = [];
  for (const difference of wrong) {
    const { id: userId, count, shown, counted, imported } = difference;
    const [row] = await readMany(database, userCounts.get, [{ userId }]);
    if (addendsOfUser(row)[count] !== imported) continue;
    const corrected = imported + counted - shown;
    const counts = writeOf(userCounts, {
      userId,
      importedFollowers: count === 'followerCount' ? corrected : null,
      importedFollowing: count === 'followingCount' ? corrected : null,
      importedTweets: count === 'tweetCount' ? corrected : null,
    });
    const rows = count === 'followerCount' ? buildTopUserRows(userId, counted) : [];
    for (const { query, params } of [...rows, counts]) await database.write(query, params);
    if (count === 'followerCount' && magnitudeOf(counted) !== magnitudeOf(shown))
      await indexUser(database, userId);
    repaired.push(difference);
  }
  return repaired;
}

/** The same for tweets. */
async function repairTweets(database: Database, wrong: readonly Difference[]): Promise<Difference[]> {
  const repaired: Difference[] = [];
  for (const difference of wrong) {
    const { id: tweetId, count, shown, counted, imported } = difference;
    const [row] = await readMany(database, tweetCounts.get, [{ tweetId }]);
    if (addendsOfTweet(row)[count] !== imported) continue;
    const corrected = imported + counted - shown;
    const [tweet] = await readMany(database, tweets.get, [{ tweetId }]);
    if (tweet && count === 'likeCount')
      await listMostLiked(database, createBulkWriter(database), tweet, magnitudeOf(counted));
    const { query, params } = writeOf(tweetCounts, {
      tweetId,
      importedLikes: count === 'likeCount' ? corrected : null,
      importedShares: count === 'shareCount' ? corrected : null,
      importedReplies: count === 'replyCount' ? corrected : null,
      importedQuotes: count === 'quoteCount' ? corrected : null,
    });
    await database.write(query, params);
    repaired.push(difference);
  }
  await listAgain(
    database,
    repaired.filter(({ count }) => count === 'likeCount'),
  );
  return repaired;
}

/**
 * Lists repaired tweets by the likes that were counted meanwhile, because such a like has listed its tweet by the number before the repair.
 */
async function listAgain(database: Database, liked: readonly Difference[]): Promise<void> {
  if (liked.length === 0) return;
  await waitForLikes(database, new Set(liked.map(({ id }) => id)));
  for (const { id: tweetId, counted } of liked) {
    const [row = null] = await readMany(database, tweetCounts.get, [{ tweetId }]);
    const [tweet] = await readMany(database, tweets.get, [{ tweetId }]);
    const magnitude = magnitudeOf(likesIn(row));
    if (tweet && magnitude !== magnitudeOf(counted))
      await listMostLiked(database, createBulkWriter(database), tweet, magnitude);
  }
}
