import { writeOf } from '../../kit/data/write';
import {
  beginMode,
  finishMode,
  pushedFollowersOf,
  startPulling,
  type Mode,
  type Pushing,
} from '../../write/timeline/fan-out-mode';
import { timelineInserterOf, readerOf } from '../../write/timeline/timeline-rows';
import { tweetsOf } from '../../write/timeline/walk';
import { topUserRowsOf } from '../../write/user/user-counts';
import { userCounts } from '../../user/user.table';
import type { Counted, Counter } from './count';
import { writesOfUser, countSteadily } from './steady';
import type { Touched } from './touched';
import type { Writer } from './writer';

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
  const counted = await countSteadily(database, touched, writesOfUser, async (some, acts) => {
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
  if (mode.mode === 'push') await pushTweets(pushing, writer, authorId, mode, turn);
  else if (mode.mode === 'pull') await startPulling(pushing, authorId, mode);
  else await finishMode(pushing, authorId);
}

/** Writes each of an author's tweets to each follower's timeline. */
async function pushTweets(
  pushing: Pushing,
  writer: Writer,
  authorId: string,
  mode: Mode,
  least: number,
): Promise<void> {
  // Followers are read after the tweets that they get: who stops following later has them taken out again.
  for await (const tweets of tweetsOf(pushing, authorId, 0)) {
    const placers = tweets.map((tweet) => timelineInserterOf(tweet, pushing.retentionMonths));
    for await (const followers of pushedFollowersOf(pushing, authorId, mode)) {
      for (const row of followers) {
        const reader = { ...readerOf(row), turn: Math.max(row.turn ?? 0, least) };
        for (const place of placers) await place(writer, reader);
      }
    }
  }
}
