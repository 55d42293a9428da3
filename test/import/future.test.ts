import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { person, startHarness, tweet, type Harness } from '../support/harness';
import { act, ask } from '../support/mutations';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});

test('a share whose time is yet to come can be taken back, once, and be made again', async () => {
  const createdAt = new Date(Date.now() + 5 * 365 * 86_400_000);
  await server.store([
    ...[person('1', 'ada'), person('2', 'bo'), person('3', 'cy')],
    tweet('100', '1'),
    tweet('101', '2', 1, { sharedTweetId: '100', createdAt }),
    tweet('102', '3', 1, { sharedTweetId: '100' }),
  ]);
  const shown = () => ask(server, '{ tweet(tweetId: "100") { shareCount viewerHasShared } }', '2');
  expect(await shown()).toEqual({ tweet: { shareCount: 2, viewerHasShared: true } });
  const id = encodeNodeId('Tweet', '100');
  for (let times = 0; times < 2; times++) {
    await act(server, '2', 'unshareTweet', { id });
    await server.writeServices.outbox.idle();
    expect(await shown()).toEqual({ tweet: { shareCount: 1, viewerHasShared: false } });
  }
  await act(server, '2', 'shareTweet', { id });
  await server.writeServices.outbox.idle();
  expect(await shown()).toEqual({ tweet: { shareCount: 2, viewerHasShared: true } });
});
