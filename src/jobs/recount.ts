import { setTimeout as sleep } from 'node:timers/promises';
import { countAll, createCounter } from '../import/store/count';
import { importedCounts } from '../import/store/import.table';
import { createBulkWriter } from '../kit/data/bulk';
import type { Database } from '../kit/cassandra/database';
import { readMany } from '../kit/data/load';
import { magnitudeOf } from '../kit/base/magnitude';
import { readPending } from '../kit/work/pending';
import { createTally } from '../kit/work/tally';
import { readAlive } from '../kit/work/worker';
import { writeOf } from '../kit/data/write';
import { likesByTweet } from '../like/like.table';
import { putTopRows } from '../write/tweet/top-rows';
import { repliesByTweet, sharesByTweet, tweetCounts, tweets } from '../tweet/tweet.table';
import { topUserRowsOf } from '../write/user/user-counts';
import { userCounts } from '../user/user.table';

/** A count that was not what the rows say. */
export interface Difference {
  readonly kind: 'user' | 'tweet';
  readonly id: string;
  readonly count: string;
  readonly shown: number;
  readonly counted: number;
}

/** How many are counted at a time. */
const CHUNK_ROWS = 1000;

/** What an act is allowed to take, in milliseconds: a count that differs for longer is wrong. */
const MAX_WAIT_MS = 3000;

/** What is counted: where its ids are, how some are compared with the rows, and how those are mended that differ. */
export interface Kind {
  readonly ids: string;
  readonly compare: (database: Database, ids: readonly string[]) => Promise<Difference[]>;
  readonly mend: (database: Database, wrong: readonly Difference[]) => Promise<void>;
}

/** Users and tweets. */
export const kinds: Readonly<Record<Difference['kind'], Kind>> = {
  user: {
    ids: 'SELECT CAST(user_id AS text) AS id FROM users',
    compare: compareUsers,
    mend: mendUsers,
  },
  tweet: {
    ids: 'SELECT CAST(tweet_id AS text) AS id FROM tweets',
    compare: compareTweets,
    mend: mendTweets,
  },
};

/** Counts everything again from the rows, while servers serve, and mends what differs; yields each difference. */
export async function* recount(
  database: Database,
  onProgress: (counted: number) => void,
): AsyncIterable<Difference> {
  let counted = 0;
  for (const kind of [kinds.user, kinds.tweet]) {
    for await (const some of inChunks(database, kind.ids)) {
      const wrong = await differencesOf(database, kind, some);
      await kind.mend(database, wrong);
      yield* wrong;
      onProgress((counted += some.length));
    }
  }
}

/** Compares the counts of some users or tweets with the rows; resolves to those that differ for longer than an act takes. */
export async function differencesOf(
  database: Database,
  { compare }: Kind,
  ids: readonly string[],
): Promise<Difference[]> {
  const suspects = await compare(database, ids);
  if (suspects.length === 0) return [];
  // Who was in the middle of an act is looked at again when that is over.
  await passWrites(database);
  const again = await compare(database, [...new Set(suspects.map(({ id }) => id))]);
  return again.filter((one) => suspects.some((other) => isSame(one, other)));
}

/** Resolves when all acts are done that are under way now. Throws where none goes on: no server is there. */
export async function passWrites(database: Database): Promise<void> {
  const now = new Date();
  do await sleep(MAX_WAIT_MS);
  while (await hasWorkOf(database, now));
}

/** Whether something that was begun by then is not done: a server that died may have left it half counted. */
async function hasWorkOf(database: Database, moment: Date): Promise<boolean> {
  const tasks = await readPending(database);
  const left = tasks.filter(({ createdAt }) => createdAt !== null && createdAt <= moment);
  if (left.length > 0 && (await readAlive(database)).length === 0)
    throw new Error(
      `${left.length} acts were begun and not finished, and there is no server that would: start one first.`,
    );
  return left.length > 0;
}

function isSame(a: Difference, b: Difference): boolean {
  return a.id === b.id && a.count === b.count && a.shown === b.shown && a.counted === b.counted;
}

/** The ids that a statement reads, a thousand at a time. */
export async function* inChunks(database: Database, cql: string): AsyncIterable<string[]> {
  let some: string[] = [];
  for await (const row of database.stream(cql, [])) {
    some.push(String(Reflect.get(row, 'id')));
    if (some.length < CHUNK_ROWS) continue;
    yield some;
    some = [];
  }
  yield some;
}

/** What is compared of one: a count as it is shown, and as the rows say. */
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
  return userIds.flatMap((id, place) => {
    const row = rows[place];
    return differences('user', id, [
      ['followerCount', (row?.followerCount ?? 0) + (row?.followers ?? 0), followers.get(id) ?? 0],
      ['followingCount', (row?.followingCount ?? 0) + (row?.following ?? 0), following.get(id) ?? 0],
      ['tweetCount', (row?.tweetCount ?? 0) + (row?.tweets ?? 0), posted.get(id) ?? 0],
    ]);
  });
}

async function compareTweets(database: Database, tweetIds: readonly string[]): Promise<Difference[]> {
  const keys = tweetIds.map((tweetId) => ({ tweetId }));
  const tally = createTally(database);
  const [given, rows, likes, shares, replies] = await Promise.all([
    readMany(database, importedCounts.get, keys),
    readMany(database, tweetCounts.get, keys),
    countAll(database, likesByTweet, tweetIds, (tweetId, bucket) => ({ tweetId, bucket })),
    countAll(database, sharesByTweet, tweetIds, (sharedTweetId, bucket) => ({ sharedTweetId, bucket })),
    countAll(database, repliesByTweet, tweetIds, (inReplyToId, bucket) => ({ inReplyToId, bucket })),
  ]);
  const compared = tweetIds.map(async (id, place) => {
    const row = rows[place];
    const source = given[place];
    // Of what a source only counted there are no rows: to its number comes what the tallies have added.
    const isGiven = source?.shareCount != null || source?.replyCount != null;
    const acts = isGiven && row?.likes != null ? (await tally.totals(id)).counts : null;
    const counted = (from: number | null | undefined, list: string, found: number) =>
      from == null ? found : from + (acts?.get(list) ?? 0);
    return differences('tweet', id, [
      [
        'likeCount',
        (row?.likeCount ?? 0) + (row?.likes ?? 0),
        (source?.likeCount ?? 0) + (likes.get(id) ?? 0),
      ],
      [
        'shareCount',
        (row?.shareCount ?? 0) + (row?.shares ?? 0),
        counted(source?.shareCount, 'shares', shares.get(id) ?? 0),
      ],
      [
        'replyCount',
        (row?.replyCount ?? 0) + (row?.replies ?? 0),
        counted(source?.replyCount, 'replies', replies.get(id) ?? 0),
      ],
    ]);
  });
  return (await Promise.all(compared)).flat();
}

/** Mends by the part of a count that acts never write, so that acts in between are not undone. */
async function mendUsers(database: Database, wrong: readonly Difference[]): Promise<void> {
  for (const { id: userId, count, shown, counted } of wrong) {
    const [row] = await readMany(database, userCounts.get, [{ userId }]);
    const followerCount = count === 'followerCount' ? (row?.followerCount ?? 0) + counted - shown : null;
    const followingCount = count === 'followingCount' ? (row?.followingCount ?? 0) + counted - shown : null;
    const tweetCount = count === 'tweetCount' ? (row?.tweetCount ?? 0) + counted - shown : null;
    const rows = followerCount === null ? [] : topUserRowsOf(userId, counted);
    const counts = writeOf(userCounts, { userId, followerCount, followingCount, tweetCount });
    for (const { query, params } of [...rows, counts]) await database.write(query, params);
  }
}

async function mendTweets(database: Database, wrong: readonly Difference[]): Promise<void> {
  for (const { id: tweetId, count, shown, counted } of wrong) {
    const [row] = await readMany(database, tweetCounts.get, [{ tweetId }]);
    const likeCount = count === 'likeCount' ? (row?.likeCount ?? 0) + counted - shown : null;
    const shareCount = count === 'shareCount' ? (row?.shareCount ?? 0) + counted - shown : null;
    const replyCount = count === 'replyCount' ? (row?.replyCount ?? 0) + counted - shown : null;
    const [tweet] = await readMany(database, tweets.get, [{ tweetId }]);
    if (tweet && likeCount !== null) {
      const bulk = createBulkWriter(database)();
      await putTopRows(bulk, tweet, magnitudeOf(counted));
      await bulk.flush();
    }
    const { query, params } = writeOf(tweetCounts, { tweetId, likeCount, shareCount, replyCount });
    await database.write(query, params);
  }
}
