import { tweets } from '../../src/features/tweet/tweet.table';
import { deriveId } from '../../src/import/records/derive';
import { unsettledImports } from '../../src/import/store/import.table';
import { createStore } from '../../src/import/store/store';
import { unavailable } from '../../src/kit/base/errors';
import type { Database } from '../../src/kit/cassandra/database';
import { partitionRemovalOf, removalOf, writeOf } from '../../src/kit/cassandra/write';
import {
  profilesByUsername,
  users,
  usersByTwitterAccount,
  usersByUsername,
} from '../../src/features/user/user.table';
import { createLoad } from '../../src/kit/reads/load';
import { readsOf } from '../../src/tools/testing/testing';
import { follow, person, startHarness, tweet } from '../support/harness';

// Each test leaves what a kill leaves at some moment of an import, and imports again.

test('what a killed import had not moved to the id of a profile, the same import moves', async () => {
  const server = await startHarness();
  const profile = person('1', 'ada');
  await server.store([
    { kind: 'follow', follower: { username: 'bo' }, followee: { username: 'ada' } },
    { ...tweet('100', '', 1), author: { username: 'ada' } },
  ]);
  // As a kill leaves it: the user of the profile is there, and nothing is moved yet.
  await createStore(server.database, server.config).add([tweet('101', '9')]);
  const { query, params } = writeOf(users, {
    userId: '1',
    username: 'ada',
    name: profile.name,
    description: null,
    twitterAccount: 'ada',
    createdAt: profile.createdAt ?? new Date(0),
  });
  await server.database.write(query, params);
  await server.store([profile]);
  const { data } = await server.query(
    '{ user(username: "bo") { followingCount following { nodes { userId } } timeline { nodes { tweetId author { userId } } } } ada: user(username: "ada") { userId followerCount tweetCount } }',
  );
  expect(data).toEqual({
    user: {
      followingCount: 1,
      following: { nodes: [{ userId: '1' }] },
      timeline: { nodes: [{ tweetId: '100', author: { userId: '1' } }] },
    },
    ada: { userId: '1', followerCount: 1, tweetCount: 1 },
  });
  await server.close();
});

test('what a killed import had not moved is moved by the same import also after another one', async () => {
  const server = await startHarness();
  const profile = person('1', 'ada');
  const byName = { ...tweet('100', '', 1), author: { username: 'ada' } };
  await server.store([byName]);
  // As a kill leaves it, and then another import has ended, so that nothing tells of the killed one.
  const { query, params } = writeOf(users, {
    ...{ userId: '1', username: 'ada', name: profile.name, description: null, twitterAccount: 'ada' },
    createdAt: profile.createdAt ?? new Date(0),
  });
  await server.database.write(query, params);
  await server.store([tweet('101', '9')]);
  expect([...(await server.store([byName, profile]))]).toEqual([]);
  const { data } = await server.query(
    '{ user(username: "ada") { userId tweetCount tweets { nodes { tweetId } } } tweet(tweetId: "100") { author { userId } } }',
  );
  expect(data).toEqual({
    user: { userId: '1', tweetCount: 1, tweets: { nodes: [{ tweetId: '100' }] } },
    tweet: { author: { userId: '1' } },
  });
  const derived = { userId: deriveId('user', 'ada') };
  expect(await createLoad(server.database)(users.get, derived)).toBeNull();
  await server.close();
});

test('an import that goes on after a failure of the database counts as killed', async () => {
  const server = await startHarness();
  const unsettled = () => createLoad(server.database)(unsettledImports.page, { shard: 0, limit: 10 });
  await server.store([tweet('101', '2', 2, { inReplyToId: '100' })]);
  let isDown = true;
  const failing: Database = {
    ...server.database,
    read(cql, params, routingKey) {
      // The tweet is stored by then, and the replies that came before it are to get their root.
      if (!isDown || !cql.includes('FROM replies_by_tweet'))
        return server.database.read(cql, params, routingKey);
      return Promise.reject(unavailable(new Error('down')));
    },
  };
  const store = createStore(failing, server.config);
  const file = [tweet('99', '2', 0), tweet('100', '2', 1, { inReplyToId: '99' })];
  await expect(store.add(file)).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE' } });
  isDown = false;
  await store.add([tweet('200', '3')]);
  await store.settle();
  expect(await unsettled()).toHaveLength(1);
  await server.store(file);
  expect(await unsettled()).toEqual([]);
  expect(await createLoad(server.database)(tweets.get, { tweetId: '101' })).toMatchObject({ rootId: '99' });
  await server.close();
});

test('a name that a killed import did not come to is given by the same import', async () => {
  const server = await startHarness();
  await createStore(server.database, server.config).add([person('9', 'Ada'), tweet('100', '9')]);
  const [copy] = await server.database.read(
    "SELECT CAST(WRITETIME(name) AS text) AS at FROM profiles_by_username WHERE username_folded = 'ada'",
    [],
  );
  const unnamed = [
    removalOf(profilesByUsername, { usernameFolded: 'ada' }, Number(Reflect.get(copy ?? {}, 'at'))),
    partitionRemovalOf(usersByUsername, { usernameFolded: 'ada' }),
    partitionRemovalOf(usersByTwitterAccount, { accountFolded: 'ada' }),
  ];
  for (const { query, params } of unnamed) await server.database.write(query, params);
  const byName =
    '{ user(username: "ada") { userId } userByTwitterAccount(twitterAccount: "ADA") { userId } }';
  expect((await server.query(byName)).data).toEqual({ user: null, userByTwitterAccount: null });
  await server.store([person('9', 'Ada'), tweet('100', '9')]);
  expect((await server.query(byName)).data).toEqual({
    user: { userId: '9' },
    userByTwitterAccount: { userId: '9' },
  });
  expect(readsOf(await server.query('{ user(username: "ada") { userId } }'))).toEqual([
    'profiles_by_username.get 1',
  ]);
  await server.close();
});

test('what a killed import did not settle, the next import settles', async () => {
  const server = await startHarness();
  // The rows of a chunk with tweets are stored when `add` resolves.
  await createStore(server.database, server.config).add([follow('1', '2'), tweet('100', '2')]);
  await server.store([person('9', 'unrelated')]);
  const { data } = await server.query(
    '{ user(username: "1") { followingCount timeline { nodes { tweetId } } } other: user(username: "2") { followerCount } }',
  );
  expect(data).toEqual({
    user: { followingCount: 1, timeline: { nodes: [{ tweetId: '100' }] } },
    other: { followerCount: 1 },
  });
  await server.close();
});
