import { encodeNodeId } from '../src/kit/graphql/global-id';
import { like, likeLists } from '../src/features/like/like.lists';
import { tweetCounts } from '../src/features/tweet/tweet.table';
import { memberHandler, setMember, simpleAct } from '../src/write/memberships';
import { tallyCount } from '../src/write/tally-count';
import type { WriteServices } from '../src/write/write-services';
import { person, startHarness, tweet, type Harness } from './support/harness';
import { ask } from './support/mutations';
import { taskRun } from './support/task-run';

/** The likes of tweets, as an act from which nothing follows but rows of lists and a count. */
const liking = simpleAct({
  kind: 'like',
  source: like,
  lists: likeLists,
  rows: 5,
  count: tallyCount('likes', tweetCounts, 'likes'),
});

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada'), person('2', 'bob'), tweet('100', '2', 1), tweet('101', '2', 2)]);
});

async function shown(tweetId: string) {
  const id = encodeNodeId('Tweet', tweetId);
  const data = await ask(
    server,
    `{ node(id: "${id}") { ... on Tweet { likeCount likers { nodes { username } } } }
      user(username: "ada") { likes { nodes { tweetId } } } }`,
  );
  const { node, user } = data as {
    node: { likeCount: number; likers: { nodes: { username: string }[] } };
    user: { likes: { nodes: { tweetId: string }[] } };
  };
  return {
    count: node.likeCount,
    members: node.likers.nodes.map(({ username }) => username),
    isListed: user.likes.nodes.some((one) => one.tweetId === tweetId),
  };
}

test('a membership decides, and the lists of both sides and the count follow it, also when it is repeated', async () => {
  const set = async (present: boolean) =>
    (await setMember(liking, server.writeServices, '100', '1', present)).hasChanged;
  expect(await set(true)).toBe(true);
  expect(await set(true)).toBe(false);
  expect(await shown('100')).toEqual({ count: 1, members: ['ada'], isListed: true });
  expect(await set(false)).toBe(true);
  expect(await set(false)).toBe(false);
  expect(await shown('100')).toEqual({ count: 0, members: [], isListed: false });
  // The second membership has another time, so its rows have other keys.
  expect(await set(true)).toBe(true);
  expect(await shown('100')).toEqual({ count: 1, members: ['ada'], isListed: true });
});

test('what was decided, but not stored, is stored by the task', async () => {
  const { tally } = server.writeServices;
  const complete = (writeServices: WriteServices) =>
    memberHandler(liking)(writeServices)({ tweetId: '101', userId: '1' }, taskRun());
  await complete(server.writeServices);
  expect(await shown('101')).toEqual({ count: 0, members: [], isListed: false });
  await tally.change({ owner: '101', list: 'likes', member: '1', present: true });
  expect(await shown('101')).toEqual({ count: 0, members: [], isListed: false });
  for (let n = 0; n < 2; n++) {
    await complete(server.writeServices);
    expect(await shown('101')).toEqual({ count: 1, members: ['ada'], isListed: true });
  }
});
