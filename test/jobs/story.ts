import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { follow, person, startHarness, tweet, type Harness } from '../support/harness';
import { act, post, type Posted } from '../support/mutations';

const [ADA, BO, CY, DEE, EVE] = ['1', '2', '3', '4', '5'];
const userNode = (userId: string) => encodeNodeId('User', userId);
const tweetNode = (tweetId: string) => encodeNodeId('Tweet', tweetId);

/**
 * A server with a network in which every derived table has rows: imported people and tweets, and what they did since. More
 * than one follow bo, whose tweets are merged in; those of others are pushed.
 */
export async function startStory(): Promise<{ server: Harness; posted: Posted }> {
  const server = await startHarness({ FANOUT_PUSH_LIMIT: '1' });
  const located = { location: { latitude: 52.5, longitude: 13.4, country: 'DE' } };
  await server.store([
    person(ADA, 'ada'),
    person(BO, 'bo'),
    person(CY, 'cy'),
    person(DEE, 'dee'),
    person(EVE, 'eve'),
    follow(ADA, BO),
    follow(CY, BO, 1),
    follow(BO, ADA, 2),
    tweet('100', BO, 1, { likeCount: 7, shareCount: 3, hashtags: ['Tea', 'time'], ...located }),
    tweet('101', ADA, 2, { inReplyToId: '100', mentions: ['bo'], likeCount: 2 }),
    tweet('102', CY, 3, { sharedTweetId: '100' }),
    tweet('103', ADA, 4, { hashtags: ['tea'] }),
    tweet('104', DEE, 40, { language: 'de' }),
    tweet('105', ADA, 41),
  ]);
  const posted = await post(server, ADA, { content: 'Hello #now, hello @bo' });
  await post(server, BO, { content: 'A #now reply', inReplyTo: tweetNode('101') });
  for (const who of [ADA, CY]) await post(server, who, { content: 'A quote', quotes: tweetNode('101') });
  await act(server, ADA, 'likeTweet', { id: tweetNode('100') });
  await act(server, CY, 'likeTweet', { id: tweetNode('101') });
  await act(server, DEE, 'likeTweet', { id: tweetNode('100') });
  await act(server, DEE, 'unlikeTweet', { id: tweetNode('100') });
  await act(server, DEE, 'shareTweet', { id: tweetNode('101') });
  await act(server, ADA, 'bookmarkTweet', { id: tweetNode('100') });
  await act(server, ADA, 'bookmarkTweet', { id: tweetNode('102'), folder: 'Tea' });
  await act(server, ADA, 'bookmarkTweet', { id: tweetNode('104'), folder: 'Tea' });
  await act(server, ADA, 'bookmarkTweet', { id: tweetNode('105'), folder: 'Tea' });
  await act(server, ADA, 'removeBookmark', { id: tweetNode('105') });
  await act(server, CY, 'followUser', { id: userNode(DEE) });
  await act(server, DEE, 'followUser', { id: userNode(CY) });
  await act(server, DEE, 'unfollowUser', { id: userNode(CY) });
  await act(server, EVE, 'blockUser', { id: userNode(DEE) });
  await act(server, CY, 'blockUser', { id: userNode(EVE) });
  await post(server, EVE, { content: 'From behind a block, @cy' });
  await act(server, CY, 'unblockUser', { id: userNode(EVE) });
  await act(server, EVE, 'muteUser', { id: userNode(CY) });
  const { tweet: reply } = (await act(server, ADA, 'createTweet', {
    input: { content: 'Gone', inReplyTo: tweetNode('101') },
  })) as { tweet: { id: string } };
  for (const id of [tweetNode('103'), reply.id]) await act(server, ADA, 'deleteTweet', { id });
  const input = { title: 'Today', body: 'It rains.', tags: ['weather'] };
  const { article } = (await act(server, ADA, 'publishArticle', { input })) as { article: { id: string } };
  for (const who of [ADA, BO, ADA])
    await act(server, who, 'addComment', { input: { articleId: article.id, body: `says ${who}` } });
  const changed = { twitterAccount: 'ada_b', name: 'Ada B', description: 'who rains' };
  await act(server, ADA, 'updateUser', { input: changed });
  await server.writeServices.outbox.idle();
  return { server, posted };
}
