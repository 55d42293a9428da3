import { setTimeout as sleep } from 'node:timers/promises';
import { tables } from '../../src/app';
import { accountDeletions, deletionReceipts } from '../../src/features/account/account.table';
import { receiptOf } from '../../src/features/account/receipt';
import { findId, keepingIds } from '../../src/jobs/find-id';
import { refusedIn } from '../../src/import/store/outcome';
import { createStore } from '../../src/import/store/store';
import { writeOf } from '../../src/kit/cassandra/write';
import { createLoad } from '../../src/kit/reads/load';
import { startDueDeletions } from '../../src/write/account/delete-account';
import { follow, person, startHarness, tweet, type Harness } from '../harness';
import { act, ask } from '../mutations';

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
  while ((await createLoad(server.database)(accountDeletions.get, { userId })) !== null) {
    await startDueDeletions(server.writeServices);
    await server.writeServices.outbox.idle();
  }
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
  const left: string[] = [];
  for await (const { table, examples } of findId(server.database, tables, { type: 'User', id: '42' }))
    if (examples.length > 0 && keepingIds[table] === undefined) left.push(table);
  expect(left).toEqual([]);
}, 120_000);

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
