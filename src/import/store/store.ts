import { randomUUID } from 'node:crypto';
import type { Config } from '../../config';
import { createBulkWriter } from '../../kit/data/bulk';
import type { Database } from '../../kit/cassandra/database';
import { createLoad } from '../../kit/data/load';
import { removalOf, writeOf } from '../../kit/data/write';
import { MAX_UNSHARDED_FOLLOWING } from '../../timeline/parts';
import { mergeUsers } from './adopt';
import { createCounter } from './count';
import { daysIn, settleDays } from './frequency';
import { createFollows } from './follows';
import { unsettledImports } from './import.table';
import { createPeople } from './people';
import type { ImportRecord } from '../records/record';
import { reconcile } from './reconcile';
import { settleUsers } from './settle';
import { waitForWrites } from './steady';
import { createTouched } from './touched';
import { createTweets, type Authored } from './tweets';
import { createWriter } from './writer';

/** When an imported relation began whose source does not say: the same for all, so importing twice changes nothing. */
export const UNKNOWN_TIME = new Date(0);

/** Writes records; writing one again changes nothing. */
export interface Store {
  /** Takes some records; resolves to why a record was refused, by its place. */
  add(records: readonly ImportRecord[]): Promise<ReadonlyMap<number, string>>;
  /**
   * Makes counts and timelines of everybody touched what the rows say. Call it once, at the end.
   * `total` people are to be settled, `Infinity` where nobody counted them.
   */
  settle(onProgress?: (settled: number, total: number) => void): Promise<void>;
}

/** Makes a store. Who follows more than `maxUnshardedFollowing` has parted relations. */
export function createStore(
  database: Database,
  config: Pick<Config, 'fanoutPushLimit' | 'timelineRetentionMonths'>,
  maxUnshardedFollowing = MAX_UNSHARDED_FOLLOWING,
): Store {
  const pushing = {
    database,
    bulk: createBulkWriter(database),
    pushLimit: config.fanoutPushLimit,
    retentionMonths: config.timelineRetentionMonths,
  };
  const writer = createWriter(database, pushing.bulk().shardRouter);
  const storeFollow = createFollows(writer, maxUnshardedFollowing);
  const people = createPeople(database, writer);
  const tweets = createTweets(database, writer, pushing.bulk);
  const run = randomUUID();
  let unsettledBefore: readonly string[] | undefined;
  const touched = createTouched();
  /** The UTC days of which there are new tweets. */
  const days = new Set<string>();
  /** Users who came to their own ids: what was pushed of theirs names another author. */
  const mergedUsers = new Set<string>();
  /** An import that was killed has left rows that nobody counted: the next one counts everybody and every tweet. */
  const begin = async () => {
    unsettledBefore ??= (await createLoad(database)(unsettledImports.page, { part: 0, limit: 1000 })).map(
      (row) => row.run,
    );
    if (unsettledBefore.length > 0) touched.everybody();
    const { query, params } = writeOf(unsettledImports, { part: 0, run });
    await database.write(query, params);
  };
  return {
    async add(records) {
      await begin();
      const introduction = await people.introduce(records, (unsettledBefore?.length ?? 0) > 0);
      const { refused, mergedIds } = introduction;
      // Two versions of a row in one batch would have one timestamp, of which the later one need not win.
      if (introduction.changes) await writer.flush();
      await introduction.writeUsers();
      if (mergedIds.size > 0) await mergeUsers(database, writer, storeFollow, mergedIds, touched);
      for (const userId of mergedIds.values()) mergedUsers.add(userId);
      const authored: Authored[] = [];
      for (const [place, record] of records.entries()) {
        if (refused.has(place)) continue;
        if (record.kind === 'follow') {
          const [follower, followee] = [people.idOf(record.follower), people.idOf(record.followee)];
          touched.add(follower, 'following');
          touched.add(followee, 'followers');
          await storeFollow(follower, followee, record.followedAt ?? UNKNOWN_TIME);
        } else if (record.kind === 'tweet') {
          const authorId = people.idOf(record.author);
          touched.add(authorId, 'tweets');
          days.add(record.createdAt.toISOString().slice(0, 10));
          authored.push({ record, authorId });
        }
      }
      for (const day of await tweets.add(authored)) days.add(day);
      return refused;
    },
    async settle(onProgress) {
      await writer.flush();
      if ((unsettledBefore?.length ?? 0) > 0) await tweets.recount();
      let settled = 0;
      onProgress?.(0, touched.total);
      // Before anything is counted; whoever acts from now on finds what was imported.
      await waitForWrites(database);
      for await (const some of touched.inChunks(database)) await reconcile(database, writer, some);
      await writer.flush();
      const count = await createCounter(database, touched);
      for await (const some of touched.inChunks(database)) {
        await settleUsers(pushing, writer, count, some, (authorId) =>
          mergedUsers.has(authorId) ? 3 : (unsettledBefore?.length ?? 0) > 0 ? 2 : 0,
        );
        onProgress?.((settled += some.length), touched.total);
      }
      await settleDays(database, unsettledBefore?.length ? await daysIn(database) : days, writer);
      await writer.flush();
      for (const done of [run, ...(unsettledBefore ?? [])])
        await writer.put(removalOf(unsettledImports, { part: 0, run: done }));
      await writer.flush();
      touched.clear();
      days.clear();
      unsettledBefore = undefined;
    },
  };
}
