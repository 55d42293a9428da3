import { jobs } from '../../src/jobs/all';
import { unavailable } from '../../src/kit/base/errors';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { person, startHarness, type Harness } from '../support/harness';
import { act, ask, post, type Mutation, type Variables } from '../support/mutations';

/** Transactions that are applied although their answer is lost, as when a node is killed: whoever sent one decides again. */
let server: Harness;
/** How many transactions of acts have come, and the one whose answer is lost. */
let count = 0;
let lost = 0;
/** What servers agree on by transactions of their own, at any time. */
const OF_SERVERS = /\b(leases|server_numbers|task_claims|segments)\b/;
beforeAll(async () => {
  server = await startHarness();
  const compareAndWrite = server.database.compareAndWrite.bind(server.database);
  jest.spyOn(server.database, 'compareAndWrite').mockImplementation(async (writes, options) => {
    const isApplied = await compareAndWrite(writes, options);
    const isOfAct = !writes.some(({ query }) => OF_SERVERS.test(query));
    if (isOfAct && ++count === lost && isApplied) throw unavailable(new Error('the answer was lost'));
    return isApplied;
  });
});
afterAll(() => server.close());

interface Counts {
  readonly user: {
    readonly followerCount: number;
    readonly followingCount: number;
    readonly tweetCount: number;
  };
  readonly tweet: {
    readonly likeCount: number;
    readonly shareCount: number;
    readonly replyCount: number;
    readonly viewerHasLiked: boolean;
    readonly viewerHasShared: boolean;
  };
}

const idOf = (type: 'User' | 'Tweet', id: string) => ({ id: encodeNodeId(type, id) });

test.each([1, 2, 3])(
  'acts whose transaction %i loses its answer are done once, and all that follows from them',
  async (place) => {
    const [ada, bo] = [String(10 * place + 1), String(10 * place + 2)];
    await server.store([person(ada, `ada${place}`), person(bo, `bo${place}`)]);
    const { tweetId } = await post(server, ada, { content: 'to act on' });
    const counts = async () => {
      await server.writeServices.outbox.idle();
      const user = 'followerCount followingCount tweetCount';
      const tweet = 'likeCount shareCount replyCount viewerHasLiked viewerHasShared';
      const source = `{ user(username: "ada${place}") { ${user} } tweet(tweetId: "${tweetId}") { ${tweet} } }`;
      return (await ask(server, source, bo)) as Counts;
    };
    let losses = 0;
    const losing = async (who: string, mutation: Mutation, variables: Variables) => {
      [count, lost] = [0, place];
      await act(server, who, mutation, variables);
      await server.writeServices.outbox.idle();
      losses += Number(count >= place);
      lost = 0;
      return counts();
    };
    const [toAda, toBo, toTweet] = [idOf('User', ada), idOf('User', bo), idOf('Tweet', tweetId)];
    expect((await losing(bo, 'followUser', toAda)).user).toMatchObject({ followerCount: 1 });
    expect((await losing(ada, 'followUser', toBo)).user).toMatchObject({ followingCount: 1 });
    expect((await losing(bo, 'likeTweet', toTweet)).tweet).toMatchObject({
      likeCount: 1,
      viewerHasLiked: true,
    });
    expect((await losing(bo, 'unlikeTweet', toTweet)).tweet).toMatchObject({ likeCount: 0 });
    expect((await losing(bo, 'shareTweet', toTweet)).tweet).toMatchObject({ shareCount: 1 });
    expect((await losing(bo, 'unshareTweet', toTweet)).tweet).toMatchObject({ viewerHasShared: false });
    await losing(bo, 'bookmarkTweet', toTweet);
    const input = { content: 'a reply', inReplyTo: toTweet.id };
    expect((await losing(ada, 'createTweet', { input })).tweet).toMatchObject({ replyCount: 1 });
    await losing(bo, 'likeTweet', toTweet);
    expect((await losing(ada, 'blockUser', toBo)).user).toEqual({
      ...{ followerCount: 0, followingCount: 0, tweetCount: 2 },
    });
    await losing(ada, 'unblockUser', toBo);
    expect((await losing(ada, 'deleteTweet', toTweet)).user).toMatchObject({ tweetCount: 1 });
    expect(losses).toBeGreaterThan(place === 3 ? 0 : 5);
    for (const job of jobs) {
      const found = await job.verify({ database: server.database, retentionMonths: null }, 1000);
      expect([job.name, found]).toMatchObject([job.name, { missing: 0, surplus: 0, different: 0 }]);
    }
  },
);
