import { writeOf } from '../../kit/cassandra/write';
import { finishMode, startPulling } from '../../write/timeline/change-mode';
import { beginMode, readPushedFollowers, type Mode, type Pushing } from '../../write/timeline/fan-out-mode';
import { createTimelineInserter, timelineReader } from '../../write/timeline/timeline-rows';
import { readTweetsBy } from '../../write/timeline/author-pages';
import { buildTopUserRows } from '../../write/user/user-counts';
import { userCounts } from '../../features/user/user.table';
import type { CountedList, Counter } from './count';
import { writesOfUser, countAtVersion } from './count-at-version';
import type { Touched } from './touched';
import type { RowWriter } from '../../kit/writes/row-writer';

/** How many authors' tweets are pushed at a time. */
const AUTHORS_AT_ONCE = 16;

/**
 * Counts the users' rows, and pushes their tweets to their followers or has readers pull them. `minVersionOf` gives the
 * least version of a relation with which an author's timeline rows are written: rows with a new author id must be later
 * than the old ones. Resolves to how many more relations the users now have as followers than were counted before.
 */
export async function settleUsers(
  pushing: Pushing,
  writer: RowWriter,
  count: Counter,
  touched: readonly Touched[],
  minVersionOf: (authorId: string) => number,
): Promise<number> {
  const { database } = pushing;
  const counted = await countAtVersion(database, touched, writesOfUser, async (users, writes) => {
    const posting = users.filter(({ followers, tweets }) => followers || tweets).map(({ userId }) => userId);
    const following = users.filter((user) => user.following).map(({ userId }) => userId);
    const changed = new Set(writes.flatMap((row) => (row?.version == null ? [] : row.userId)));
    const countIn = (list: CountedList, userIds: readonly string[]) =>
      count(
        list,
        userIds,
        userIds.filter((userId) => changed.has(userId)),
      );
    const counts = await Promise.all([
      countIn('followers', posting),
      countIn('following', following),
      countIn('tweets', posting),
    ]);
    return users.map(({ userId }) => counts.map((ofList) => ofList.get(userId)));
  });
  let newRelations = 0;
  const authors: { readonly authorId: string; readonly followers: number }[] = [];
  for (const { key, acts, count: counts = [] } of counted) {
    const { userId } = key;
    const [followers, following, tweets] = counts;
    if (following !== undefined)
      newRelations += following - (acts?.following ?? 0) - (acts?.importedFollowing ?? 0);
    // These numbers include the rows written here, which are counted separately.
    await writer.put(
      writeOf(userCounts, {
        userId,
        ...(followers !== undefined && { importedFollowers: followers - (acts?.followers ?? 0) }),
        ...(following !== undefined && { importedFollowing: following - (acts?.following ?? 0) }),
        ...(tweets !== undefined && { importedTweets: tweets - (acts?.tweets ?? 0) }),
      }),
    );
    for (const write of buildTopUserRows(userId, followers ?? 0)) await writer.put(write);
    if (tweets && followers) authors.push({ authorId: userId, followers });
  }
  for (let n = 0; n < authors.length; n += AUTHORS_AT_ONCE)
    await Promise.all(
      authors
        .slice(n, n + AUTHORS_AT_ONCE)
        .map(({ authorId, followers }) =>
          settleTimelines(pushing, writer, authorId, followers, minVersionOf(authorId)),
        ),
    );
  return newRelations;
}

async function settleTimelines(
  pushing: Pushing,
  writer: RowWriter,
  authorId: string,
  followers: number,
  minVersion: number,
): Promise<void> {
  const mode = await beginMode(pushing, authorId, followers);
  if (mode.mode === 'push') await pushTweets(pushing, writer, authorId, mode, minVersion);
  else if (mode.mode === 'pull') await startPulling(pushing, authorId, mode);
  else await finishMode(pushing, authorId);
}

/** Writes each of an author's tweets to each follower's timeline. */
async function pushTweets(
  pushing: Pushing,
  writer: RowWriter,
  authorId: string,
  mode: Mode,
  minVersion: number,
): Promise<void> {
  // Followers are read after the tweets that they get: an unfollow that comes later removes those tweets again.
  for await (const tweets of readTweetsBy(pushing, authorId, null)) {
    const inserters = tweets.map((tweet) => createTimelineInserter(tweet, pushing.retentionMonths));
    for await (const followers of readPushedFollowers(pushing, authorId, mode)) {
      for (const row of followers) {
        const reader = { ...timelineReader(row), version: Math.max(row.version ?? 0, minVersion) };
        for (const insert of inserters) await insert(writer, reader);
      }
    }
  }
}
