import { setTimeout as sleep } from 'node:timers/promises';
import { tables } from '../../src/app';
import { accountDeletions, deletionReceipts } from '../../src/features/account/account.table';
import { receiptOf } from '../../src/features/account/receipt';
import { findId, keepingIds } from '../../src/jobs/find-id';
import { createStore } from '../../src/import/store/store';
import { writeOf } from '../../src/kit/cassandra/write';
import { createLoad } from '../../src/kit/reads/load';
import { startDueDeletions } from '../../src/write/account/delete-account';
import { follow, person, refusedIn, startHarness, tweet, type Harness } from '../support/harness';
import { act, ask } from '../support/mutations';

let server: Harness;
beforeAll(async () => {
  server = await startHarness({ ACCOUNT_DELETION_DAYS: '0' });
});

/** Deletes an account, and waits until nothing is left of it. */
async function deleteAccount(userId: string, username: string): Promise<void> {
  const { accountDeletion } = (await act(server, userId, 'deleteAccount', { confirm: username })) as {
    accountDeletion: { startsAt: string };
  };
  await sleep(Math.max(0, Number(new Date(accountDeletion.startsAt)) - Date.now()));
  await settled(userId);
}

/** Waits until the deletion of an account is complete, if there is one. */
async function settled(userId: string): Promise<void> {
  while ((await createLoad(server.database)(accountDeletions.get, { userId })) !== null) {
    await startDueDeletions(server.writeServices);
    await server.writeServices.outbox.idle();
  }
}

/** The tables that still have the id of a user, but for those that keep it for a reason. */
async function leftOf(userId: string): Promise<string[]> {
  const left: string[] = [];
  for await (const { table, examples } of findId(server.database, tables, { type: 'User', id: userId }))
    if (examples.length > 0 && keepingIds[table] === undefined) left.push(table);
  return left;
}

test('importing the files of a deleted account again does not bring it back', async () => {
  const files = [
    person('7', 'bo'),
    person('42', 'ada'),
    follow('42', '7'),
    follow('7', '42'),
    tweet('100', '42'),
    tweet('101', '7'),
  ];
  await server.store(files);
  await deleteAccount('42', 'ada');
  const deleted = 'the account was deleted here: 42';
  // The username stays reserved, so a profile would be refused anyhow; these rows have only the number, and one was not here before.
  const numbered = await server.store([follow('42', '7'), follow('7', '42'), tweet('102', '42')]);
  expect([...numbered.values()]).toEqual([deleted, deleted, deleted]);
  expect([...(await server.store(files))]).toEqual([1, 2, 3, 4].map((index) => [index, deleted]));
  expect(
    await ask(
      server,
      '{ user(username: "42") { id } ada: user(username: "ada") { id } bo: user(username: "bo") { followerCount followingCount tweetCount } }',
    ),
  ).toEqual({ user: null, ada: null, bo: { followerCount: 0, followingCount: 0, tweetCount: 1 } });
  expect(await leftOf('42')).toEqual([]);
});

test('an account that is deleted while an import runs is named no more, and nothing is left of it', async () => {
  const people = [person('60', 'eli'), person('61', 'fay'), person('63', 'hal')];
  await server.store(people);
  const store = createStore(server.database, server.config);
  const other = createStore(server.database, server.config);
  expect(refusedIn(await store.add([...people, follow('61', '60')])).size).toBe(0);
  const { startsAt } = (
    (await act(server, '60', 'deleteAccount', { confirm: 'eli' })) as {
      accountDeletion: { startsAt: string };
    }
  ).accountDeletion;
  const deleted = { refused: 'the account was deleted here: 60' };
  expect(
    await store.add([
      follow('60', '61'),
      tweet('600', '60'),
      { ...tweet('601', ''), author: { username: 'ELI' } },
    ]),
  ).toEqual([deleted, deleted, deleted]);
  await sleep(Math.max(0, Number(new Date(startsAt)) - Date.now()));
  // This one looks before the deletion is asked for, and after it is complete.
  await other.add(people.slice(1));
  await deleteAccount('63', 'hal');
  await other.add([follow('61', '63'), tweet('602', '63')]);
  await settled('60');
  await Promise.all([store.settle(), other.settle()]);
  for (const userId of ['60', '63']) {
    await settled(userId);
    expect(await leftOf(userId)).toEqual([]);
  }
  const later = await startHarness({}, server);
  expect(
    await ask(
      later,
      '{ user(username: "fay") { followingCount followerCount following { nodes { userId } } timeline { nodes { tweetId } } } searchUsers(text: "eli") { userId } }',
    ),
  ).toEqual({
    user: { followingCount: 0, followerCount: 0, following: { nodes: [] }, timeline: { nodes: [] } },
    searchUsers: [],
  });
});

test('an account that is not gone yet does not come back, either', async () => {
  const now = new Date();
  // As a deletion leaves it before it writes the receipt.
  const { query, params } = writeOf(accountDeletions, {
    ...{ userId: '43', state: 'started', requestedAt: now, startsAt: now, changedAt: now },
    ...{ issuer: null, subject: null },
  });
  await server.database.write(query, params);
  expect([...(await server.store([follow('43', '7'), follow('8', '7')]))]).toEqual([
    [0, 'the account was deleted here: 43'],
  ]);
});

test('somebody else of the name that a profile of a deleted account gives is stored', async () => {
  const now = new Date();
  const { query, params } = writeOf(deletionReceipts, {
    ...{ receipt: receiptOf('44'), requestedAt: now, startedAt: now, finishedAt: now, counts: '{}' },
  });
  await server.database.write(query, params);
  const byName = { ...tweet('200', ''), author: { username: 'gil' } };
  const store = createStore(server.database, server.config);
  expect(refusedIn(await store.add([byName, person('44', 'gil')])).size).toBe(2);
  expect(await store.add([byName])).toEqual(['stored']);
  await store.settle();
  expect(await ask(server, '{ user(username: "gil") { tweetCount } }')).toEqual({ user: { tweetCount: 1 } });
});
