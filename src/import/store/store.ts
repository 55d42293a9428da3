import type { Config } from '../../config';
import { createBulkWriter } from '../../kit/writes/bulk';
import type { Database } from '../../kit/cassandra/database';
import { createGroupingWriter } from '../../kit/writes/grouping-writer';
import { nobodyActs, type MoveActs } from './acting-users';
import { mergeUsers } from './merge-users';
import { createCounter } from './count';
import { settleDays } from './frequency';
import { daysIn } from './tweets-of-days';
import { createFollows, type ImportedFollow } from './follows';
import { createDeletedAccounts } from './deleted-accounts';
import { createPeople } from './people';
import type { FollowRecord, ImportRecord, TweetRecord } from '../records/record';
import { createNewPeople, settleSearch } from './search-rows';
import { settleUsers } from './settle';
import { waitForWrites } from './count-at-version';
import { createLinks } from './links';
import { createTouched, type Touched } from './touched';
import type { Outcome } from './outcome';
import type { Authored } from './rows';
import { createTweets } from './tweets';
import { users, userCounts } from '../../features/user/user.table';
import { followersByUser, followingByUser } from '../../features/follow/follow.lists';
import { relationTo } from '../../features/follow/relation';
import { createLoad, readMany } from '../../kit/reads/load';
import { removalOf, writeOf } from '../../kit/cassandra/write';
import { readFollowees, readFollowers } from '../../write/timeline/author-pages';
import type { RowWriter } from '../../kit/writes/row-writer';
import { randomUUID } from 'node:crypto';
import { unsettledImports } from './import.table';

/** When an imported relation began if its source does not say. It is the same for all, so importing twice changes nothing. */
const UNKNOWN_TIME = new Date(0);

/** Writes records. Writing a record again changes nothing. */
export interface Store {
  /**
   * Stores records. Resolves to the outcome of each. `onDrop` is called for each profile whose Twitter account is somebody else's, which is
   * stored without it. If it rejects, some of the rows that follow from the records may be missing, and the same import must run again.
   */
  add(records: readonly ImportRecord[], onDrop?: () => void): Promise<readonly Outcome[]>;
  /** Stores what is collected of the records, so that it can be read. */
  flush(): Promise<void>;
  /**
   * Brings the counts and timelines of all touched users up to date with the rows, and makes users be found by their names. Call it once, at
   * the end, also after a failure. Resolves to how many relations are new.
   */
  settle(onProgress?: SettlingProgress): Promise<number>;
}

/**
 * Is told how far a step of settling is, in users. `total` is the number of touched users; `Infinity` if it is not known. Each step ends
 * before the next one begins.
 */
export type SettlingProgress = (
  step: 'counts and timelines' | 'names to search for',
  settled: number,
  total: number,
) => void;

/** Creates a store. Without `moveActs` it refuses to merge users who have acted here. */
export function createStore(
  database: Database,
  config: Pick<Config, 'fanoutPushLimit' | 'timelineRetentionMonths'>,
  moveActs: MoveActs = nobodyActs,
): Store {
  const pushing = {
    database,
    bulk: createBulkWriter(database),
    pushLimit: config.fanoutPushLimit,
    retentionMonths: config.timelineRetentionMonths,
  };
  // A user must be stored before rows that name the user can be read.
  const writer = createGroupingWriter(database, { isFirst: ({ query }) => query === users.put });
  const storeFollows = createFollows(database, writer);
  const deletedAccounts = createDeletedAccounts(database);
  const people = createPeople(database, writer, deletedAccounts);
  const touched = createTouched();
  const links = createLinks(database, writer, (authorId) => {
    // The timelines of the followers have copies of the shares.
    touched.add(authorId, 'tweets');
  });
  const tweets = createTweets(database, writer, pushing.bulk, people.nameOf, links);
  const unsettled = createUnsettledImport(database, writer);
  const newPeople = createNewPeople();
  /** The UTC days that have new tweets. */
  const days = new Set<string>();
  /** Users whom others were merged into: the timeline rows pushed before name another author. */
  const mergedUsers = new Set<string>();
  /** The relations of users who were merged into others, as counted before: they move and are not new. */
  let mergedRelations = 0;
  /** The follow of a record; null if that is of oneself. */
  const followOf = (record: FollowRecord): ImportedFollow | null => {
    const [follower, followee] = [people.idOf(record.follower), people.idOf(record.followee)];
    if (follower === followee) return null;
    touched.add(follower, 'following');
    touched.add(followee, 'followers');
    return { follower, followee, followedAt: record.followedAt ?? UNKNOWN_TIME };
  };
  const authorOf = (record: TweetRecord): Authored => {
    const authorId = people.idOf(record.author);
    touched.add(authorId, 'tweets');
    days.add(record.createdAt.toISOString().slice(0, 10));
    return { record, authorId };
  };
  const addRecords = async (records: readonly ImportRecord[], onDrop: () => void) => {
    await unsettled.recordRun();
    // An import that was killed leaves rows that are not counted, so all users and all tweets are counted.
    if (unsettled.wasKilled) touched.everybody();
    const identified = await people.identify(records, unsettled.wasKilled);
    const { refused, profiled, dropped, mergedIds } = identified;
    for (const index of dropped) if (!refused.has(index)) onDrop();
    // Two versions of a row in one batch would get the same timestamp, and the older one might win.
    if (identified.changes) await writer.flush();
    const written = await identified.writeUsers();
    if (!newPeople.add([...written, ...mergedIds.keys()])) touched.everybody();
    if (mergedIds.size > 0)
      mergedRelations += await mergeUsers(
        database,
        writer,
        storeFollows,
        mergedIds,
        touched,
        links,
        moveActs,
      );
    for (const userId of mergedIds.values()) mergedUsers.add(userId);
    const follows: ImportedFollow[] = [];
    const authored: Authored[] = [];
    const indices: number[] = [];
    const outcomes: Outcome[] = records.map((record, index) => {
      const reason = refused.get(index);
      if (reason !== undefined) return { refused: reason };
      return record.kind === 'follow' ? 'written' : (profiled.get(index) ?? 'unchanged');
    });
    for (const [index, record] of records.entries()) {
      if (refused.has(index)) continue;
      if (record.kind === 'follow') {
        const follow = followOf(record);
        if (follow === null) outcomes[index] = { refused: 'a user cannot follow themselves' };
        else follows.push(follow);
      } else if (record.kind === 'tweet') indices[authored.push(authorOf(record)) - 1] = index;
    }
    await storeFollows(follows);
    const added = await tweets.add(authored);
    for (const day of added.formerDays) days.add(day);
    for (const [n, outcome] of added.outcomes.entries()) outcomes[indices[n] ?? -1] = outcome;
    return outcomes;
  };
  return {
    add: (records, onDrop = () => undefined) => unsettled.keepIfCut(() => addRecords(records, onDrop)),
    flush: () => unsettled.keepIfCut(() => writer.flush()),
    async settle(onProgress) {
      await writer.flush();
      if (unsettled.wasKilled) await tweets.recount();
      await tweets.flush();
      await links.settle();
      let newRelations = -mergedRelations;
      mergedRelations = 0;
      onProgress?.('counts and timelines', 0, touched.total);
      // Counting begins after this wait, so that it finds all imported rows.
      await waitForWrites(database);
      const gone = await deletedAccounts.gone();
      for await (const userIds of touched.inChunks(database))
        await reconcile(database, writer, userIds, gone, unsettled.wasKilled);
      await writer.flush();
      const count = await createCounter(database, touched);
      let settled = 0;
      for await (const userIds of touched.inChunks(database)) {
        newRelations += await settleUsers(pushing, writer, count, userIds, (authorId) =>
          mergedUsers.has(authorId) ? 3 : unsettled.wasKilled ? 2 : 0,
        );
        onProgress?.('counts and timelines', (settled += userIds.length), touched.total);
      }
      await writer.flush();
      // Their order follows from the counts.
      await newPeople.index(database);
      let found = 0;
      for await (const userIds of touched.inChunks(database)) {
        await settleSearch(database, writer, userIds);
        onProgress?.('names to search for', (found += userIds.length), touched.total);
      }
      await settleDays(database, unsettled.wasKilled ? await daysIn(database) : days, writer);
      await writer.flush();
      await deletedAccounts.restart();
      await unsettled.end();
      touched.clear();
      days.clear();
      return newRelations;
    },
  };
}

/**
 * Removes the imported list rows of relations that a user has changed here: an unfollow here stays an unfollow, and a
 * followee with another time here is in the lists only once.
 */
async function reconcileFollows(database: Database, writer: RowWriter, userId: string): Promise<void> {
  for await (const rows of readFollowees({ database }, userId)) {
    const load = createLoad(database);
    await Promise.all(
      rows.map(async ({ followeeId, followedAt }) => {
        const { follows, since, version } = await relationTo(load, userId, followeeId);
        if (follows && since?.getTime() === followedAt.getTime()) return;
        if (version === 0 && (since === null || since < followedAt)) return;
        await writer.put(removalOf(followingByUser, { userId, followedAt, followeeId }));
        await writer.put(removalOf(followersByUser, { userId: followeeId, followedAt, followerId: userId }));
      }),
    );
  }
}

/**
 * Removes the follows between users and those whose accounts are deleted meanwhile. The deletion does not find them: it has removed the lists
 * of its own user, and what is older does not come back there.
 */
async function removeFollowsOfGone(
  database: Database,
  writer: RowWriter,
  userId: string,
  gone: ReadonlySet<string>,
): Promise<void> {
  const remove = async (followerId: string, followeeId: string, followedAt: Date) => {
    await writer.put(removalOf(followingByUser, { userId: followerId, followedAt, followeeId }));
    await writer.put(removalOf(followersByUser, { userId: followeeId, followedAt, followerId }));
  };
  for await (const rows of readFollowees({ database }, userId))
    for (const { followeeId, followedAt } of rows)
      if (gone.has(followeeId)) await remove(userId, followeeId, followedAt);
  for await (const rows of readFollowers({ database }, userId))
    for (const { followerId, followedAt } of rows)
      if (gone.has(followerId)) await remove(followerId, userId, followedAt);
}

/**
 * Removes imported follower and following rows that contradict what users have done here. Reads only the lists of
 * touched users who have followed or unfollowed somebody here, or of all if an import was killed between two rows, unless accounts are
 * `gone` meanwhile.
 */
async function reconcile(
  database: Database,
  writer: RowWriter,
  touched: readonly Touched[],
  gone: ReadonlySet<string>,
  wasKilled: boolean,
): Promise<void> {
  if (gone.size > 0)
    for (const { userId } of touched) await removeFollowsOfGone(database, writer, userId, gone);
  const following = touched.filter((user) => user.following).map(({ userId }) => ({ userId }));
  const counts = await readMany(database, userCounts.get, following);
  for (const [index, { userId }] of following.entries())
    if (wasKilled || counts[index]?.following != null) await reconcileFollows(database, writer, userId);
}

/** How many unsettled imports are found at most. */
const MAX_UNSETTLED_IMPORTS = 1000;

/** The row of `unsettled_imports` that an import has until its rows are counted. It stays if the import is killed. */
interface UnsettledImport {
  /** Whether an earlier import was killed, so that rows may be uncounted. Known once this import has begun. */
  readonly wasKilled: boolean;
  /** Stores the row. */
  recordRun(): Promise<void>;
  /** Does some of the work. If it rejects, the row stays, as if the import had been killed: what it left is completed by the next one. */
  keepIfCut<T>(work: () => Promise<T>): Promise<T>;
  /** Removes the row of this import, and those of earlier ones that were killed, unless something of it was cut off. */
  end(): Promise<void>;
}

/** Creates the `UnsettledImport` of an import. */
function createUnsettledImport(database: Database, writer: RowWriter): UnsettledImport {
  const run = randomUUID();
  let before: readonly string[] | undefined;
  let isCut = false;
  return {
    get wasKilled() {
      return (before?.length ?? 0) > 0;
    },
    async recordRun() {
      const key = { shard: 0, limit: MAX_UNSETTLED_IMPORTS };
      before ??= (await createLoad(database)(unsettledImports.page, key)).map((row) => row.run);
      const { query, params } = writeOf(unsettledImports, { shard: 0, run });
      await database.write(query, params);
    },
    async keepIfCut(work) {
      try {
        return await work();
      } catch (error) {
        isCut = true;
        throw error;
      }
    },
    async end() {
      if (isCut) return;
      for (const done of [run, ...(before ?? [])])
        await writer.put(removalOf(unsettledImports, { shard: 0, run: done }));
      await writer.flush();
      before = undefined;
    },
  };
}
