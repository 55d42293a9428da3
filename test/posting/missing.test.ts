import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { act, ask, post, send, type Mutation, type Variables } from '../support/mutations';
import { remove, server, tweetNode, userNode } from './tweets';

/** Sends a mutation as user 1, and resolves to the only error, as `CODE: message`. */
async function refusal(name: Mutation, variables: Variables): Promise<string> {
  const { errors } = await send(server, '1', name, variables);
  expect(errors.length).toBe(1);
  return `${errors[0]?.extensions.code}: ${errors[0]?.message}`;
}

describe('an error about what does not exist names it by the id that was sent', () => {
  test.each(['likeTweet', 'unlikeTweet', 'shareTweet', 'unshareTweet', 'deleteTweet'] as const)(
    'to %s',
    async (name) => {
      const id = tweetNode('999');
      expect(await refusal(name, { id })).toBe(`NOT_FOUND: Tweet ${id} must exist, but does not.`);
    },
  );

  test.each(['followUser', 'unfollowUser'] as const)('to %s', async (name) => {
    const id = userNode('999');
    expect(await refusal(name, { id })).toBe(`NOT_FOUND: User ${id} must exist, but does not.`);
  });

  test('to addComment', async () => {
    const articleId = encodeNodeId('Article', '999');
    expect(await refusal('addComment', { input: { articleId, body: 'b' } })).toBe(
      `NOT_FOUND: Article ${articleId} must exist, but does not.`,
    );
  });

  test.each(['inReplyTo', 'quotes'])('to createTweet with %s', async (field) => {
    const id = tweetNode('999');
    expect(await refusal('createTweet', { input: { content: 'c', [field]: id } })).toBe(
      `BAD_USER_INPUT: ${field} must name a tweet that exists, but ${id} does not.`,
    );
  });

  test('to likeTweet of a share whose original was deleted', async () => {
    const { id } = await post(server, '2', { content: 'to be shared' });
    await act(server, '3', 'shareTweet', { id });
    const { user } = (await ask(
      server,
      '{ user(username: "user3") { tweets(first: 1) { nodes { id } } } }',
    )) as {
      user: { tweets: { nodes: { id: string }[] } };
    };
    const share = user.tweets.nodes[0]?.id ?? '';
    expect(await remove('2', id)).toEqual([]);
    expect(await refusal('likeTweet', { id: share })).toBe(
      `NOT_FOUND: Tweet ${share} must exist, but does not.`,
    );
  });
});

test('an error about a key whose tweet was deleted names the tweet by the id that was returned', async () => {
  const input = { content: 'deleted since', idempotencyKey: 'deleted since' };
  const { id } = await post(server, '1', input);
  expect(await remove('1', id)).toEqual([]);
  expect(await refusal('createTweet', { input })).toBe(
    `NOT_FOUND: Tweet ${id}, which this idempotency key created, was deleted.`,
  );
});
