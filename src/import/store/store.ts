import type { Config } from '../../config';
import { createBulkWriter } from '../../kit/writes/bulk';
import type { Database } from '../../kit/cassandra/database';
import { createGroupingWriter } from '../../kit/writes/grouping-writer';
import { mergeUsers } from './merge-users';
import { createCounter } from './count';
import { daysIn, settleDays } from './frequency';
import { createFollows } from './follows';
import { createPeople } from './people';
import type { FollowRecord, ImportRecord, TweetRecord } from '../records/record';
import { reconcile } from './reconcile';
import { settleUsers } from './settle';
import { waitForWrites } from './count-at-version';
import { createTouched } from './touched';
import type { Outcome } from './outcome';
import type { Authored } from './rows';
import { createTweets } from './tweets';
import { createUnsettledImport } from './unsettled';
import { users } from '../../features/user/user.table';

/** When an imported relation began if its source does not say. It is the same for all, so importing twice changes nothing. */
const UNKNOWN_TIME = new Date(0);

/** Writes records. Writing a record again changes nothing. */
export interface Store {
  /** Stores records. Resolves to what became of each. */
  add(records: readonly ImportRecord[]): Promise<readonly Outcome[]>;
  /**
   * Brings the counts and timelines of all touched users up to date with the rows. Call it once, at the end.
   * `total` is the number of touched users; `Infinity` if it is not known. Resolves to how many relations are new.
   */
  settle(onProgress?: (settled: number, total: number) => void): Promise<number>;
}

/** Creates a store. */
export function createStore(
  database: Database,
  config: Pick<Config, 'fanoutPushLimit' | 'timelineRetentionMonths'>,
): Store {
  const pushing = {
    database,
    bulk: createBulkWriter(database),
    pushLimit: config.fanoutPushLimit,
    retentionMonths: config.timelineRetentionMonths,
  };
  // A user must be stored before rows that name the user can be read.
  const writer = createGroupingWriter(database, { isFirst: ({ query }) => query === users.put });
  const storeFollow = createFollows(writer);
  const people = createPeople(database, writer);
  const tweets = createTweets(database, writer, pushing.bulk, people.nameOf);
  const unsettled = createUnsettledImport(database, writer);
  const touched = createTouched();
  /** The UTC days that have new tweets. */
  const days = new Set<string>();
  /** Users whom others were merged into: the timeline rows pushed before name another author. */
  const mergedUsers = new Set<string>();
  /** The relations of users who were merged into others, as counted before: they move and are not new. */
  let mergedRelations = 0;
  const addFollow = async (record: FollowRecord) => {
    const [follower, followee] = [people.idOf(record.follower), people.idOf(record.followee)];
    touched.add(follower, 'following');
    touched.add(followee, 'followers');
    await storeFollow(follower, followee, record.followedAt ?? UNKNOWN_TIME);
  };
  const authorOf = (record: TweetRecord): Authored => {
    const authorId = people.idOf(record.author);
    touched.add(authorId, 'tweets');
    days.add(record.createdAt.toISOString().slice(0, 10));
    return { record, authorId };
  };
  return {
    async add(records) {
      await unsettled.begin();
      // An import that was killed leaves rows that are not counted, so all users and all tweets are counted.
      if (unsettled.wasKilled) touched.everybody();
      const identified = await people.identify(records, unsettled.wasKilled);
      const { refused, profiled, mergedIds } = identified;
      // Two versions of a row in one batch would get the same timestamp, and the older one might win.
      if (identified.changes) await writer.flush();
      await identified.writeUsers();
      if (mergedIds.size > 0)
        mergedRelations += await mergeUsers(database, writer, storeFollow, mergedIds, touched);
      for (const userId of mergedIds.values()) mergedUsers.add(userId);
      const authored: Authored[] = [];
      const indices: number[] = [];
      const outcomes: Outcome[] = records.map((record, index) => {
        const reason = refused.get(index);
        if (reason !== undefined) return { refused: reason };
        return record.kind === 'follow' ? 'written' : (profiled.get(index) ?? 'unchanged');
      });
      for (const [index, record] of records.entries()) {
        if (refused.has(index)) continue;
        if (record.kind === 'follow') await addFollow(record);
        else if (record.kind === 'tweet') indices[authored.push(authorOf(record)) - 1] = index;
      }
      const added = await tweets.add(authored);
      for (const day of added.formerDays) days.add(day);
      for (const [n, outcome] of added.outcomes.entries()) outcomes[indices[n] ?? -1] = outcome;
      return outcomes;
    },
    async settle(onProgress) {
      await writer.flush();
      if (unsettled.wasKilled) await tweets.recount();
      await tweets.flush();
      let settled = 0;
      let newRelations = -mergedRelations;
      mergedRelations = 0;
      onProgress?.(0, touched.total);
      // Nothing is counted before this: writes that begin after it find all imported rows.
      await waitForWrites(database);
      for await (const userIds of touched.inChunks(database)) await reconcile(database, writer, userIds);
      await writer.flush();
      const count = await createCounter(database, touched);
      for await (const userIds of touched.inChunks(database)) {
        newRelations += await settleUsers(pushing, writer, count, userIds, (authorId) =>
          mergedUsers.has(authorId) ? 3 : unsettled.wasKilled ? 2 : 0,
        );
        onProgress?.((settled += userIds.length), touched.total);
      }
      await settleDays(database, unsettled.wasKilled ? await daysIn(database) : days, writer);
      await writer.flush();
      await unsettled.end();
      touched.clear();
      days.clear();
      return newRelations;
    },
  };
}
