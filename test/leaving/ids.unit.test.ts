import { features, tables, writeFeatures } from '../../src/app';
import { columnsWith, keepingIds } from '../../src/jobs/find-id';
import { isHeldIn, MAX_ID, MIN_ID } from '../../src/kit/base/ids';
import { outbox } from '../../src/kit/work/outbox.table';
import { partsInOrder } from '../../src/write/account/delete-account';
import { tallySwept } from '../../src/write/account/account-deletion';
import { MAX_ACCOUNTS, sweptBy, type SweepProgress } from '../../src/write/account/sweep';
import { isTaskAbout, PEOPLE_OF_TASKS } from '../../src/write/account/task-people';
import type { WriteServices } from '../../src/write/write-services';

/** What ids are of besides the types with global ids: parts of indexes and of the map, days, folders, and places in lists. */
const OTHER_KINDS = ['Cell', 'Day', 'Entry', 'Folder', 'Place', 'Segment'];

test('each column with an id says of what it is, so that whatever holds the id of a person can be found', () => {
  const silent = tables.flatMap(({ name, columns }) =>
    Object.entries(columns).flatMap(([property, { cql, ids }]) =>
      (cql === 'bigint' || /Ids?$/.test(property)) && property !== 'taskId' && !ids?.length
        ? [`${name}.${property}: declare it by idOf('User'), or what it is of, or by holding(…, 'User')`]
        : [],
    ),
  );
  expect(silent).toEqual([]);
});

test('what ids are of are types with global ids', () => {
  const types = new Set([
    ...features.flatMap(({ nodeTypes = {} }) => Object.keys(nodeTypes)),
    ...OTHER_KINDS,
  ]);
  const named = new Set(
    tables.flatMap(({ columns }) => Object.values(columns).flatMap(({ ids = [] }) => ids)),
  );
  expect([...named].filter((type) => !types.has(type))).toEqual([]);
});

test.each([
  ['42', true],
  ['41 42', true],
  ['{"author_id":"42"}', true],
  ['{"id":42}', true],
  [['7', '42'], true],
  ['@42, hello', true],
  [{ author: 42 }, true],
  ['421', false],
  ['142', false],
  ['0.42', false],
  ['42.5', false],
  [['4', '2'], false],
  [null, false],
  [undefined, false],
  [new Date(42), false],
  ['', false],
])('%j holds the id 42: %s', (value, holds) => {
  expect(isHeldIn(value, '42')).toBe(holds);
});

/** The tables that have ids while something is under way, and have none once it has ended. */
const UNDER_WAY = ['account_deletions', 'leaving_users', 'outbox', 'list_buckets'];

test('whatever may hold the id of a person is removed by a part of the deletion, swept, or kept for a reason', () => {
  const removed = new Set([
    ...partsInOrder(writeFeatures).flatMap((part) => part.tables.map(({ name }) => name)),
    ...sweptBy(writeFeatures).map(({ table }) => table.name),
    ...Object.keys(keepingIds),
    ...UNDER_WAY,
  ]);
  const forgotten = tables.filter(
    (table) => columnsWith(table, 'User').length > 0 && !removed.has(table.name),
  );
  expect(
    forgotten.map(({ name }) => `${name}: say in WriteFeature.accountDeletion how it is removed`),
  ).toEqual([]);
});

test('each kind of task names the people that it is about', () => {
  const handlers = writeFeatures.flatMap(({ tasks }) => Object.entries(tasks));
  for (const [kind, create] of handlers) {
    const asked: string[] = [];
    const payload = new Proxy<Record<string, string>>(
      {},
      { get: (_, name) => void asked.push(String(name)) },
    );
    create({} as WriteServices, writeFeatures).work.person(payload);
    expect({ kind, asked: asked.filter((name) => !PEOPLE_OF_TASKS.includes(name)) }).toEqual({
      kind,
      asked: [],
    });
  }
});

test.each<[Record<string, string>, boolean]>([
  [{ userId: '7' }, true],
  [{ follower: '8', followee: '7' }, true],
  [{ blocker: '8', blocked: '7' }, true],
  [{ tweetId: '9', authorId: '7', tweet: '{}' }, true],
  [{ tweetId: '7', userId: '8' }, false],
  [
    { tweetId: '9', authorId: '8', tweet: '{"content":"I have 7 cats","authorId":"8","hashtags":["7"]}' },
    false,
  ],
  [{ authorId: '8', from: '7 7', to: '7' }, false],
  [{}, false],
])('a task with the payload %j is about user 7: %s', (payload, isAbout) => {
  expect(isTaskAbout({ payload: JSON.stringify(payload) }, '7')).toBe(isAbout);
});

test('the checkpoint of a sweep for as many accounts as there may be is not too large for a task', () => {
  const counts = Object.fromEntries(sweptBy(writeFeatures).map(({ table }) => [table.name, 9_999_999_999]));
  const userIds = Array.from({ length: MAX_ACCOUNTS }, (_, n) => String(BigInt(MAX_ID) - BigInt(n)));
  const progress: SweepProgress = {
    table: 99,
    token: MIN_ID,
    counts: Object.fromEntries(userIds.map((userId) => [userId, counts])),
    begun: Object.fromEntries(userIds.map((userId) => [userId, Date.now()])),
  };
  expect(Buffer.byteLength(JSON.stringify(progress))).toBeLessThanOrEqual(outbox.columns.checkpoint.maxBytes);
});

test('of a row that is about several who have left, all are forgotten by one write', () => {
  for (const { table, removals } of sweptBy(writeFeatures)) {
    const row = {
      ...{ pair: '7 8', list: 'following', owner: '7', member: '8', raw: '{"user_id":7,"author_id":"8"}' },
      ...{ viewerId: '7', targetId: '8', userId: '7', actorId: '8' },
    };
    const writes = removals(row, new Set(['7', '8', '9']));
    expect({ table: table.name, writes: writes.length }).toEqual({ table: table.name, writes: 1 });
    const isOfOne = /^(notified_by_tweet|notification_groups|users_by_.*)$/.test(table.name);
    const expected = isOfOne ? ['7'] : ['7', '8'];
    expect(writes[0]?.userIds.toSorted()).toEqual(expected);
  }
});

test('a tweet among those of a minute is not taken for the user with its id', () => {
  const row = { shard: 3, member: '7', list: 'en' };
  const removalsOf = (owner: string, list: string) =>
    tallySwept.flatMap(({ removals }) => removals({ ...row, owner, list }, new Set(['7'])));
  expect(removalsOf(String(-(2 ** 40) - 29_000_000), 'en')).toEqual([]);
  expect(removalsOf('100', 'likes')).toMatchObject([{ userIds: ['7'] }]);
});
