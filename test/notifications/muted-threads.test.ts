import { readHidden } from '../../src/write/hidden/set-muted';
import { person, startHarness, type Harness } from '../support/harness';
import { act, post, send } from '../support/mutations';

const [BO, CY, DEE] = ['2', '3', '4'];

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person(BO, 'bo'), person(CY, 'cy'), person(DEE, 'dee')]);
});
afterAll(() => server.close());

test('a thread is unmuted also after its tweets were deleted, so that it takes no place of another one', async () => {
  const tweeted = await post(server, BO, { content: 'a thread' });
  const reply = await post(server, DEE, { content: 'below it', inReplyTo: tweeted.id });
  const share = `mutation { shareTweet(id: "${reply.id}") { share { id } } }`;
  const { data } = await server.query(share, {}, BO);
  const { id: shareId } = (data as { shareTweet: { share: { id: string } } }).shareTweet.share;
  const muted = async () => (await readHidden(server.database, CY)).mutedThreads.size;
  const unmute = (id: string) => send(server, CY, 'unmuteThread', { id });
  const remove = async (who: string, id: string) => {
    await act(server, who, 'deleteTweet', { id });
    await server.writeServices.outbox.idle();
  };
  const mute = () => act(server, CY, 'muteThread', { id: tweeted.id });
  await mute();
  await remove(DEE, reply.id);
  expect(await unmute(reply.id)).toMatchObject({
    ...{ errors: [], data: { unmuteThread: { root: { tweetId: tweeted.tweetId } } } },
  });
  for (const id of [reply.id, shareId]) {
    await mute();
    expect(await muted()).toBe(1);
    await unmute(id);
    expect(await muted()).toBe(0);
  }
  await mute();
  await remove(BO, tweeted.id);
  expect(await unmute(tweeted.id)).toMatchObject({ errors: [], data: { unmuteThread: null } });
  expect(await muted()).toBe(0);
  // Nothing is muted any more, so the call tells nothing of the tweet.
  expect((await unmute(tweeted.id)).errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
});
