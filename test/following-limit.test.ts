import { MAX_FOLLOWING } from '../src/write/follow/set-following';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { writeOf } from '../src/kit/cassandra/write';
import { userCounts } from '../src/features/user/user.table';
import { follow, person, startHarness, type Harness } from './support/harness';
import { act, ask, codesOf, send } from './support/mutations';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([
    ...['1', '2', '3', '4'].map((userId) => person(userId, `user${userId}`)),
    follow('1', '2'),
  ]);
  // An import that brought as many as may be followed: one row says so.
  const { query, params } = writeOf(userCounts, { userId: '1', importedFollowing: MAX_FOLLOWING });
  await server.database.write(query, params);
});
afterAll(() => server.close());

const user = (userId: string) => ({ id: encodeNodeId('User', userId) });

test('who follows as many as may be can follow nobody else, and nothing is written', async () => {
  const { errors } = await send(server, '1', 'followUser', user('3'));
  expect(errors.map(({ message, extensions }) => [extensions.code, message])).toEqual([
    ['BAD_USER_INPUT', expect.stringContaining(String(MAX_FOLLOWING))],
  ]);
  expect(await server.writeServices.outbox.pending()).toEqual([]);
  expect(
    await ask(server, '{ user(username: "user3") { followerCount isFollowed: viewerIsFollowing } }', '1'),
  ).toEqual({
    user: { followerCount: 0, isFollowed: false },
  });
});

test('who follows as many as may be can follow again whom it follows, and another one after unfollowing one', async () => {
  await act(server, '1', 'followUser', user('2'));
  await act(server, '1', 'unfollowUser', user('2'));
  expect(await ask(server, '{ user(username: "user1") { followingCount } }')).toEqual({
    user: { followingCount: MAX_FOLLOWING - 1 },
  });
  await act(server, '1', 'followUser', user('3'));
  expect(await codesOf(server, '1', 'followUser', user('4'))).toEqual(['BAD_USER_INPUT']);
});
