import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { notificationTopic } from '../../src/features/notification/notification-topic';
import { person, startHarness, type Harness } from '../support/harness';
import { act, post, type Mutation } from '../support/mutations';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada'), person('2', 'bo')]);
});

let told: () => number;
let change: (mutation: Mutation) => Promise<void>;
beforeEach(async () => {
  const tweetId = (await post(server, '1', { content: 'like me again' })).tweetId;
  const topic = notificationTopic('1');
  const publish = jest.spyOn(server.writeServices.signals, 'publish');
  publish.mockClear();
  told = () => publish.mock.calls.filter(([topics]) => topics.includes(topic)).length;
  change = async (mutation) => {
    await act(server, '2', mutation, { id: encodeNodeId('Tweet', tweetId) });
    await server.writeServices.outbox.idle();
  };
});

test('who takes a like back and likes again tells subscriptions nothing new', async () => {
  await change('likeTweet');
  expect(told()).toBe(1);
  for (let n = 0; n < 3; n++) {
    await change('unlikeTweet');
    await change('likeTweet');
  }
  expect(told()).toBe(1);
});

test('who likes what he likes already tells nobody', async () => {
  await change('likeTweet');
  for (let n = 0; n < 3; n++) await change('likeTweet');
  expect(told()).toBe(1);
});
