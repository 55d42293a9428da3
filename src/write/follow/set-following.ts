import { decideUntilWritten, type Decision } from '../../kit/cassandra/decide';
import { growingTask, type DeclaredHandler } from '../../kit/work/handler';
import { arrivalWrite } from '../../kit/subscriptions/late-arrivals';
import { badInput } from '../../kit/base/errors';
import { createLoad } from '../../kit/reads/load';
import { removalsFrom, writesFrom } from '../../kit/lists/source';
import { lateTopic } from '../../features/live/topics';
import { timelinesByUser } from '../../features/timeline/timeline.lists';
import { notifyFollowee } from '../notification/acts';
import { adjustMode } from '../timeline/change-mode';
import {
  addAllToTimeline,
  addNewestToTimeline,
  hideInTimeline,
  removeAuthorFromTimeline,
  pulledSince,
  TWEETS_PER_CHECKPOINT,
} from '../timeline/timeline-follow';
import { storeFollowee } from '../user-search/followees';
import { indexUser } from '../user-search/index-users';
import { readFollowingCount, refreshUserCounts } from '../user/user-counts';
import type { WriteServices } from '../write-services';
import { followIn, followLists } from '../../features/follow/follow.lists';
import { blockedBetween } from '../../features/hidden/blocked';
import { isLow, joinPair, relationIn, relationTo, type Relation } from '../../features/follow/relation';

/**
 * The most accounts that a user can follow by `followUser`: each page of a timeline reads the partitions of those above the
 * push limit. Imports may bring more.
 */
export const MAX_FOLLOWING = 2000;

const select = (side: string) =>
  `SELECT ${side}_follows AS follows, ${side}_since AS since, ${side}_at AS at, ${side}_version AS version, ${side}_imported AS imported, low_blocks, low_blocks_at, high_blocks, high_blocks_at FROM relations WHERE pair = ?`;
const update = (side: string) =>
  `UPDATE relations SET ${side}_follows = ?, ${side}_since = ?, ${side}_at = ?, ${side}_version = ? WHERE pair = ? IF ${side}_at = ? AND low_blocks_at = ? AND high_blocks_at = ?`;
const sides = {
  low: { read: select('low'), write: update('low') },
  high: { read: select('high'), write: update('high') },
};

/**
 * Makes one user follow another, or not. Repeating it changes nothing. Throws `FORBIDDEN` if one of them blocks the other, and
 * `BAD_USER_INPUT` if the follower already follows `MAX_FOLLOWING` accounts; follows made at the same moment may pass that limit by a few.
 * With `keepsTimeline`, an unfollow leaves the tweets in the follower's timeline, which then must be removed as a whole.
 */
export async function setFollowing(
  writeServices: WriteServices,
  follower: string,
  followee: string,
  follows: boolean,
  { keepsTimeline = false } = {},
): Promise<Relation> {
  if (follows) await requireRoom(writeServices, follower, followee);
  const began = new Date();
  const hasChanged = ({ at }: Relation) => at !== null && at >= began;
  const { relation } = await writeServices.outbox.enqueueAndRun(
    'follow',
    { follower, followee },
    async () => {
      const { relation, pulledVersion } = await decideRelation(writeServices, follower, followee, follows);
      const moved = await storeRelation(writeServices, follower, followee, relation);
      const isMoreLeft =
        !relation.follows ||
        (await addNewestToTimeline(writeServices, follower, followee, relation, pulledVersion));
      return { relation, isMoreLeft, moved };
    },
    {
      // A relation that was the same before has or had a task of its own.
      afterwards: async ({ relation, moved }) => {
        await indexMoved(writeServices, moved);
        if (!hasChanged(relation)) return;
        await Promise.all([
          relation.follows && afterFollowing(writeServices, follower, followee),
          notifyFollowee(writeServices, follower, followee, relation, false),
        ]);
      },
      rest: ({ relation, isMoreLeft }) =>
        hasChanged(relation) && isMoreLeft && !keepsTimeline
          ? followTask(writeServices, relation.version)
          : null,
    },
  );
  return relation;
}

async function requireRoom({ database }: WriteServices, follower: string, followee: string): Promise<void> {
  if ((await readFollowingCount(database, follower)) < MAX_FOLLOWING) return;
  if ((await relationTo(createLoad(database), follower, followee)).follows) return;
  throw badInput(
    `A user can follow at most ${MAX_FOLLOWING} accounts, and this one already follows that many: unfollow somebody first.`,
  );
}

/**
 * The short work after a follow is answered. The change of mode does not wait for the older tweets, because until then the tweets of
 * an author who has become too popular for that are pushed.
 */
async function afterFollowing(
  writeServices: WriteServices,
  follower: string,
  followee: string,
): Promise<void> {
  await publishLateTweets(writeServices, follower, followee);
  await adjustMode(writeServices, followee);
}

/** Tells the subscriptions of a follower that all tweets of an author have come into the timeline. They read the author's list. */
async function publishLateTweets(
  { database, signals }: WriteServices,
  follower: string,
  followee: string,
): Promise<void> {
  const { query, params } = arrivalWrite(timelinesByUser.name, follower, 'list', followee);
  await database.write(query, params);
  signals.publish([lateTopic(follower)]);
}

/** Completes a follow or unfollow: adds the followee's older tweets to the timeline, or removes all of them. */
export function followHandler(writeServices: WriteServices): DeclaredHandler {
  return followTask(writeServices, null);
}

/**
 * Does what the last change of a relation has left to do. `storedVersion` is the version of the relation that is stored everywhere
 * but in timelines; null if that is not known. Tasks of one pair are one: only the last change counts.
 */
function followTask(writeServices: WriteServices, storedVersion: number | null): DeclaredHandler {
  return growingTask(
    {
      rows: TWEETS_PER_CHECKPOINT,
      person: ({ follower = '' }) => follower,
      sameAs: ({ follower, followee }) => `${follower} ${followee}`,
    },
    async ({ follower = '', followee = '' }, task) => {
      const { read } = describeSide(follower, followee);
      const relation = relationIn(
        await writeServices.database.readSerial(read, [joinPair(follower, followee)]),
      );
      if (relation.at === null) return;
      if (relation.version !== storedVersion) {
        const moved = await storeRelation(writeServices, follower, followee, relation);
        await Promise.all([
          // Somebody who was cut off may have shown the number of the follower's followers.
          indexMoved(writeServices, [...moved, followee, follower]),
          relation.follows && afterFollowing(writeServices, follower, followee),
          notifyFollowee(writeServices, follower, followee, relation, true),
        ]);
      }
      if (relation.follows) await addAllToTimeline(writeServices, follower, followee, relation, task);
      // The timeline has nothing of a follow that never began and that a block has ended.
      else if (relation.since !== null) {
        await removeAuthorFromTimeline(writeServices, follower, followee, relation, task);
        // A change to push would make the removal write tombstones for an author who was pulled.
        await adjustMode(writeServices, followee);
      }
    },
  );
}

function describeSide(follower: string, followee: string) {
  return isLow(follower, followee) ? sides.low : sides.high;
}

/** A relation after its decision. */
interface Decided {
  readonly relation: Relation;
  /** The result of `pulledSince` before the decision; null when this call did not begin the follow. */
  readonly pulledVersion: number | null;
}

function decideRelation(
  writeServices: WriteServices,
  follower: string,
  followee: string,
  follows: boolean,
): Promise<Decided> {
  const { read, write } = describeSide(follower, followee);
  const pair = joinPair(follower, followee);
  const now = new Date();
  return decideUntilWritten(
    writeServices.database,
    { cql: read, params: [pair] },
    async (rows): Promise<Decision<Decided>> => {
      const before = relationIn(rows);
      const blocks = (rows[0] ?? {}) as Readonly<Record<string, unknown>>;
      if (follows && (blocks['low_blocks'] === true || blocks['high_blocks'] === true))
        throw blockedBetween();
      if (before.follows === follows)
        return { writes: [], result: { relation: before, pulledVersion: null } };
      // The rows of an earlier follow must be removed first, because only this relation says where they are.
      if (follows && before.since !== null)
        await indexMoved(writeServices, await storeRelation(writeServices, follower, followee, before));
      const pulledVersion = follows ? await pulledSince(writeServices, follower, followee) : null;
      const at = before.at !== null && before.at >= now ? new Date(Number(before.at) + 1) : now;
      const since = follows ? at : before.since;
      const relation = { ...before, follows, since, at, version: before.version + 1 };
      const params = [
        follows,
        since,
        at,
        relation.version,
        pair,
        before.at,
        blocks['low_blocks_at'] ?? null,
        blocks['high_blocks_at'] ?? null,
      ];
      return { writes: [{ query: write, params }], result: { relation, pulledVersion } };
    },
  );
}

/**
 * Makes lists, counts, names of followees and the row that hides an unfollowed author in the timeline equal to a relation. If a block has
 * ended a follow that never was, counts record that, for the imports that may bring the follow. Resolves to those of the two
 * whose number of followers is shown with another magnitude than before, and whom the caller must index. Other changes may have changed the
 * follower's number meanwhile.
 */
export async function storeRelation(
  writeServices: WriteServices,
  follower: string,
  followee: string,
  relation: Relation,
): Promise<readonly string[]> {
  const { follows, version, imported } = relation;
  const { at } = relation;
  if (at === null) return [];
  const fact = followIn(follower, followee, relation);
  if (fact !== null) {
    const bulk = writeServices.bulk();
    for (const write of (follows ? writesFrom : removalsFrom)(followLists, fact)) await bulk.put(write);
    if (!follows) await hideInTimeline(writeServices, follower, followee, relation);
    await bulk.flush();
  }
  // A follow that never was has no name to remove: with a tombstone for each who blocks somebody, that one could not search any more.
  const named =
    fact === null ? Promise.resolve() : storeFollowee(writeServices, { follower, followee, relation });
  if (version === 0) {
    await named;
    return [];
  }
  const change = { present: follows, at, unlessKnown: imported };
  await Promise.all([
    named,
    writeServices.tally.change({ owner: followee, list: 'followers', member: follower, ...change }),
    writeServices.tally.change({ owner: follower, list: 'following', member: followee, ...change }),
  ]);
  const both = [followee, follower];
  const areMoved = await Promise.all(both.map((userId) => refreshUserCounts(writeServices, userId)));
  return both.filter((_, n) => areMoved[n]);
}

/** Lists users in the search for people by what they have now. */
export async function indexMoved({ database }: WriteServices, userIds: readonly string[]): Promise<void> {
  await Promise.all([...new Set(userIds)].map((userId) => indexUser(database, userId)));
}
