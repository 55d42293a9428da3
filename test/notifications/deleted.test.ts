import { setTimeout as sleep } from 'node:timers/promises';
import { groupId } from '../../src/features/notification/group-id';
import { NotificationKind } from '../../src/features/notification/notification-kind';
import { notificationGroups } from '../../src/features/notification/notification.table';
import { tweets, type StoredTweet } from '../../src/features/tweet/tweet.table';
import { afterOtherClocks } from '../../src/kit/base/after-other-clocks';
import { partitionRemovalOf } from '../../src/kit/cassandra/write';
import { createLoad } from '../../src/kit/reads/load';
import { putAll } from '../../src/kit/writes/row-writer';
import { notifyAuthor } from '../../src/write/notification/acts';
import { endGroupsOf } from '../../src/write/notification/end-groups';
import { endGroup } from '../../src/write/notification/group';
import { storeGroup } from '../../src/write/notification/list-group';
import { setLiked } from '../../src/write/like/set-liked';
import { setShared } from '../../src/write/share/set-shared';
import { ensureDeleted } from '../../src/write/tweet/delete-tweet';
import { person, startHarness, type Harness } from '../support/harness';
import { act, post } from '../support/mutations';

const LIKE = NotificationKind.LIKE as const;
const [AUTHOR, LIKER, LATE_LIKER] = ['1', '2', '3'] as const;

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([AUTHOR, LIKER, LATE_LIKER].map((id) => person(id, `user${id}`)));
});

/** Posts a tweet that somebody likes and shares. */
async function likedTweet(): Promise<StoredTweet> {
  const { id, tweetId } = await post(server, AUTHOR, { content: 'Soon gone' });
  for (const name of ['likeTweet', 'shareTweet'] as const) await act(server, LIKER, name, { id });
  await server.writeServices.outbox.idle();
  const tweet = await createLoad(server.database)(tweets.get, { tweetId });
  if (tweet === null) throw new Error('the tweet must be stored');
  return tweet;
}

/** Tells the author of a like whose tweet was there when it was read. */
const tellLate = (tweet: StoredTweet) => {
  const now = new Date();
  const membership = { present: true, since: now, at: now, item: null };
  return notifyAuthor(server.writeServices, LIKE, tweet, LATE_LIKER, membership, { isRepeated: false });
};

const TABLES = ['notifications_by_user', 'notification_groups', 'notification_members'];
// What a test that fails leaves is not the next one's.
afterEach(() => Promise.all(TABLES.map((table) => server.database.run(`TRUNCATE ${table}`))));

/** The rows that tables have of the likes of tweets. */
async function rowsLeft() {
  return (await Promise.all(TABLES.map((table) => server.database.run(`SELECT * FROM ${table}`)))).flat();
}

test('a like of which is told after the deletion has removed the group leaves no notification', async () => {
  const tweet = await likedTweet();
  expect(await rowsLeft()).not.toEqual([]);
  await ensureDeleted(server.writeServices, tweet.tweetId);
  await server.writeServices.outbox.idle();
  expect(await rowsLeft()).toEqual([]);
  const stored = await tellLate(tweet);
  await endGroupsOf(server.writeServices, tweet, { stored, actorId: LATE_LIKER });
  expect(await rowsLeft()).toEqual([]);
});

test('neither does one that finds the group closed and begins another one', async () => {
  const tweet = await likedTweet();
  const grouping = { userId: AUTHOR, kind: LIKE, subjectId: tweet.tweetId };
  const ended = await endGroup(server.database, grouping, 0);
  if (ended === null) throw new Error('the group must be there');
  const stored = await tellLate(tweet);
  expect(stored.map(({ number }) => number)).toEqual([1]);
  // What the deletion does after it has closed the group.
  await storeGroup(server.writeServices, ended, { isMoved: true, isNews: false });
  const id = groupId(grouping, 0);
  const removal = partitionRemovalOf(notificationGroups, { groupId: id }, afterOtherClocks());
  await putAll(server.writeServices.bulk(), [removal]);
  await ensureDeleted(server.writeServices, tweet.tweetId);
  await server.writeServices.outbox.idle();
  await endGroupsOf(server.writeServices, tweet, { stored, actorId: LATE_LIKER });
  expect(await rowsLeft()).toEqual([]);
});

test.each(['likeTweet', 'shareTweet'] as const)(
  'a tweet that is deleted while its author is told by %s leaves no notification',
  async (name) => {
    const tweet = await likedTweet();
    const { writeServices, database } = server;
    let isTold = false;
    // The deletion comes when the author is about to be told.
    const racing = {
      ...writeServices,
      database: {
        ...database,
        async compareAndWrite(...params: Parameters<typeof database.compareAndWrite>) {
          const [[first]] = params;
          if (!isTold && first?.query.includes('notification_groups') === true) {
            isTold = true;
            await ensureDeleted(writeServices, tweet.tweetId);
            // Its task removes the notifications that are there.
            while ((await rowsLeft()).length > 0) await sleep(20);
          }
          return database.compareAndWrite(...params);
        },
      },
    };
    await (name === 'likeTweet'
      ? setLiked(racing, tweet, LATE_LIKER, true)
      : setShared(racing, tweet, LATE_LIKER, true));
    await writeServices.outbox.idle();
    expect(isTold).toBe(true);
    expect(await rowsLeft()).toEqual([]);
  },
);
