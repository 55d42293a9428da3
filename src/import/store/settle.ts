import { createLoad } from '../../kit/load';
import { monthsOf } from '../../kit/relay/buckets';
import { writeOf } from '../../kit/write';
import { beginMode, finishMode, startPulling, type Pushing } from '../../timeline/mode';
import { placerOf, readerOf, type Reader } from '../../timeline/place';
import { followersOf } from '../../timeline/walk';
import { tweetsByAuthor } from '../../tweet/tweet.table';
import { topUserRowsOf } from '../../user/user-counts';
import { userCounts } from '../../user/user.table';
import type { Counted, Counter } from './count';
import { actsOfUser, countSteadily } from './steady';
import type { Touched } from './touched';
import type { Writer } from './writer';

/** How many tweets are pushed to each follower at a time. */
const PUSHED_AT_ONCE = 100;

/**
 * Counts users' new rows, and pushes their tweets to their followers or has them merged in on reading. `turnOf` tells as of
 * which turn of a relation: rows that name an author otherwise than before must be later than those.
 */
export async function settleUsers(
  pushing: Pushing,
  writer: Writer,
  count: Counter,
  touched: readonly Touched[],
  turnOf: (authorId: string) => number,
): Promise<void> {
  const { database } = pushing;
  const counted = await countSteadily(database, touched, actsOfUser, async (some, acts) => {
    const posting = some.filter(({ followers, tweets }) => followers || tweets).map(({ userId }) => userId);
    const following = some.filter((user) => user.following).map(({ userId }) => userId);
    const acted = new Set(acts.flatMap((row) => (row?.version == null ? [] : row.userId)));
    const countIn = (list: Counted, userIds: readonly string[]) =>
      count(
        list,
        userIds,
        userIds.filter((userId) => acted.has(userId)),
      );
    const counts = await Promise.all([
      countIn('followers', posting),
      countIn('following', following),
      countIn('tweets', posting),
    ]);
    return some.map(({ userId }) => counts.map((ofList) => ofList.get(userId)));
  });
  for (const { key, acts, count: counts = [] } of counted) {
    const { userId } = key;
    const [followers, following, tweets] = counts;
    // The rows of what was done here are counted among them, and shown apart.
    await writer.put(
      writeOf(userCounts, {
        userId,
        ...(followers !== undefined && { followerCount: followers - (acts?.followers ?? 0) }),
        ...(following !== undefined && { followingCount: following - (acts?.following ?? 0) }),
        ...(tweets !== undefined && { tweetCount: tweets - (acts?.tweets ?? 0) }),
      }),
    );
    for (const write of topUserRowsOf(userId, followers ?? 0)) await writer.put(write);
    if (tweets && followers) await settleTimelines(pushing, writer, userId, followers, turnOf(userId));
  }
}

async function settleTimelines(
  pushing: Pushing,
  writer: Writer,
  authorId: string,
  followers: number,
  turn: number,
): Promise<void> {
  const mode = await beginMode(pushing, authorId, followers);
  if (mode.mode === 'push') await pushTweets(pushing, writer, authorId, turn);
  else if (mode.mode === 'pull') await startPulling(pushing, authorId, mode);
  else await finishMode(pushing, authorId);
}

/** Writes each of an author's tweets to each follower's timeline; the followers, at most the push limit, are in memory. */
async function pushTweets(pushing: Pushing, writer: Writer, authorId: string, least: number): Promise<void> {
  const { database, retentionMonths } = pushing;
  const readers: Reader[] = [];
  for await (const page of followersOf(pushing, authorId))
    for (const row of page) readers.push({ ...readerOf(row), turn: Math.max(row.turn ?? 0, least) });
  for (const bucket of await monthsOf(createLoad(database), [
    { list: tweetsByAuthor.name, owner: authorId },
  ])) {
    for (let after: string[] | undefined; ;) {
      const key = { authorId, bucket, after, limit: PUSHED_AT_ONCE };
      const page = await createLoad(database)(tweetsByAuthor.page, key);
      const placers = page.map((tweet) => placerOf(tweet, retentionMonths));
      for (const reader of readers) for (const place of placers) await place(writer, reader);
      const last = page.at(-1);
      if (page.length < PUSHED_AT_ONCE || last === undefined) break;
      after = [last.tweetId];
    }
  }
}
