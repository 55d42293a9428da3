import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { person, startHarness, tweet, type Harness } from '../support/harness';
import { act, ask, post } from '../support/mutations';

let server: Harness;
/** Who looks, whose tweets are shared, who shares them, and a stranger. */
const [VIEWER, AUTHOR, SHARER, OTHER] = ['1', '2', '3', '4'] as const;
beforeAll(async () => {
  server = await startHarness();
  await server.store([VIEWER, AUTHOR, SHARER, OTHER].map((userId) => person(userId, `user${userId}`)));
  await act(server, VIEWER, 'followUser', idOf(SHARER));
});
afterAll(() => server.close());

const idOf = (userId: string) => ({ id: encodeNodeId('User', userId) });

interface Muted {
  readonly mutedWord: { readonly id: string };
}

/** The originals whose shares are in the viewer's timeline, newest first. */
async function sharedInTimeline(): Promise<readonly string[]> {
  await server.writeServices.outbox.idle();
  const source = '{ user(username: "user1") { timeline(first: 20) { nodes { sharedTweet { content } } } } }';
  const data = (await ask(server, source, VIEWER)) as {
    user: { timeline: { nodes: { sharedTweet: { content: string } | null }[] } };
  };
  return data.user.timeline.nodes.flatMap(({ sharedTweet }) => sharedTweet?.content ?? []);
}

test('a share is hidden by what its original answers or quotes, and by the scope of a mute that is for it', async () => {
  const plain = await post(server, AUTHOR, { content: 'plain' });
  const others = await post(server, OTHER, { content: 'an xyzzy tweet' });
  const reply = await post(server, AUTHOR, { content: 'reply', inReplyTo: others.id });
  const quote = await post(server, AUTHOR, { content: 'quote', quotes: others.id });
  for (const { id } of [plain, reply, quote]) await act(server, SHARER, 'shareTweet', { id });
  expect(await sharedInTimeline()).toEqual(['quote', 'reply', 'plain']);

  await act(server, VIEWER, 'blockUser', idOf(OTHER));
  expect(await sharedInTimeline()).toEqual(['quote', 'plain']);
  await act(server, VIEWER, 'unblockUser', idOf(OTHER));

  const { mutedWord } = (await act(server, VIEWER, 'muteWords', { input: { text: 'xyzzy' } })) as Muted;
  expect(await sharedInTimeline()).toEqual(['reply', 'plain']);
  await act(server, VIEWER, 'unmuteWords', { id: mutedWord.id });

  for (const [scope, shown] of [
    [['TWEETS'], ['quote', 'reply']],
    [['REPLIES'], ['quote', 'plain']],
    [['QUOTES'], ['reply', 'plain']],
    [
      ['SHARES', 'NOTIFICATIONS'],
      ['quote', 'reply', 'plain'],
    ],
    [['TWEETS', 'REPLIES', 'QUOTES'], []],
  ]) {
    await act(server, VIEWER, 'muteUser', { ...idOf(AUTHOR), scope });
    expect({ scope, shown: await sharedInTimeline() }).toEqual({ scope, shown });
  }
  await act(server, VIEWER, 'unmuteUser', idOf(AUTHOR));
});

test('a muted word hides an imported share whose own text was cut before it', async () => {
  const original = tweet('100', AUTHOR, 1, { content: 'a long text that ends in vaderisluke' });
  const cut = { content: 'RT @user2: a long text that ends in…', sharedTweetId: '100' };
  await server.store([original, tweet('101', SHARER, 2, cut)]);
  const isShown = async () => (await sharedInTimeline()).includes(original.content);
  expect(await isShown()).toBe(true);
  await act(server, VIEWER, 'muteWords', { input: { text: 'vaderisluke' } });
  expect(await isShown()).toBe(false);
});
