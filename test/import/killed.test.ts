import { createStore } from '../../src/import/store/store';
import { partitionRemovalOf, removalOf, writeOf } from '../../src/kit/cassandra/write';
import {
  profilesByUsername,
  users,
  usersByTwitterAccount,
  usersByUsername,
} from '../../src/features/user/user.table';
import { readsOf } from '../../src/tools/testing/testing';
import { follow, person, startHarness, tweet } from '../harness';

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
