import { setTimeout as sleep } from 'node:timers/promises';
import { followersByUser, followingByUser } from '../../src/features/follow/follow.lists';
import { likesByTweet, likesByUser } from '../../src/features/like/like.lists';
import { tweets } from '../../src/features/tweet/tweet.table';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { describeWithJava } from './with-java';
import { startCluster, type Cluster } from '../crash/cluster';
import { person, startHarness, tweet, type Harness } from '../support/harness';
import { act, ask } from '../support/mutations';
import { runCommand } from '../support/run-command';

/** Three nodes start, and one of them again. */
const MAX_MS = 300_000;
const KEYSPACE = 'repaired';
/** In the tables that forget, a deletion is older than `gc_grace_seconds` when the node comes back. The others have the usual ten days. */
const FORGETTING = [followersByUser, followingByUser, tweets].map(({ name }) => name);
const REMEMBERING = [likesByTweet, likesByUser].map(({ name }) => name);
const GRACE_SECONDS = 1;

describeWithJava('A node that was away', () => {
  let cluster: Cluster;
  let server: Harness;
  const environment = () => ({ ...cluster.environment, CASSANDRA_KEYSPACE: KEYSPACE });
  const shown = () =>
    ask(
      server,
      '{ user(username: "ada") { following { nodes { username } } likes { nodes { tweetId } } } tweet(tweetId: "100") { content } }',
    );

  beforeAll(async () => {
    // Without hints, only a repair gives the node what it missed.
    cluster = await startCluster(3, 1, { hints: false });
    server = await startHarness(environment());
    const of = [person('1', 'ada'), person('2', 'bo'), tweet('100', '2'), tweet('101', '2')];
    expect((await server.store(of)).size).toBe(0);
    for (const name of FORGETTING)
      await server.database.changeSchema(`ALTER TABLE ${name} WITH gc_grace_seconds = ${GRACE_SECONDS}`);
  }, MAX_MS);

  afterAll(async () => {
    await server.close();
    await cluster.stop();
  }, MAX_MS);

  test(
    'gives back what was deleted if gc_grace_seconds are over when it is repaired, and nothing if they are not',
    async () => {
      await act(server, '1', 'followUser', { id: encodeNodeId('User', '2') });
      await act(server, '1', 'likeTweet', { id: encodeNodeId('Tweet', '101') });
      await server.writeServices.outbox.idle();
      const before = await shown();
      expect(before).toEqual({
        user: { following: { nodes: [{ username: 'bo' }] }, likes: { nodes: [{ tweetId: '101' }] } },
        tweet: { content: 'tweet 100' },
      });

      await cluster.ring.kill(2);
      await act(server, '1', 'unfollowUser', { id: encodeNodeId('User', '2') });
      await act(server, '1', 'unlikeTweet', { id: encodeNodeId('Tweet', '101') });
      await act(server, '2', 'deleteTweet', { id: encodeNodeId('Tweet', '100') });
      await server.writeServices.outbox.idle();
      await sleep((GRACE_SECONDS + 1) * 1000);
      for (const node of [0, 1]) await cluster.ring.compact(node, KEYSPACE, [...FORGETTING, ...REMEMBERING]);
      const nothing = { user: { following: { nodes: [] }, likes: { nodes: [] } }, tweet: null };
      expect(await shown()).toEqual(nothing);

      await cluster.ring.restart(2);
      await cluster.ring.repair(2, KEYSPACE, [...FORGETTING, ...REMEMBERING]);
      expect(await shown()).toEqual({
        user: { following: { nodes: [{ username: 'bo' }] }, likes: { nodes: [] } },
        tweet: { content: 'tweet 100' },
      });
    },
    MAX_MS,
  );

  test(
    'leaves what came back to verify, which finds it, and to the rebuild that this names, which removes it',
    async () => {
      const found = await runCommand(environment(), 'verify');
      expect(found).toMatchObject({ status: 1 });
      const named = /npm run rebuild -- (.+)/.exec(found.said)?.[1]?.split(' ') ?? [];
      expect(named).toEqual(expect.arrayContaining(FORGETTING));
      for (const name of REMEMBERING) expect(named).not.toContain(name);
      expect(await runCommand(environment(), 'rebuild', ...named)).toMatchObject({ status: 0 });
      expect(await runCommand(environment(), 'verify')).toMatchObject({ status: 0 });
      expect(await shown()).toEqual({
        user: { following: { nodes: [] }, likes: { nodes: [] } },
        tweet: null,
      });
    },
    MAX_MS,
  );
});
