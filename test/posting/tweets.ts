import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { follow, person, startHarness, tweet, type Harness } from '../support/harness';
import { ask, codesOf, type Variables } from '../support/mutations';

/** The server that the tests of a file write to, with four people and tweets of two of them. */
export let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([
    ...['1', '2', '3', '4'].map((id) => person(id, `user${id}`)),
    follow('3', '2'),
    tweet('100', '2', 1, { likeCount: 7, shareCount: 5, replyCount: 3 }),
    tweet('101', '2', 2),
    tweet('102', '4', 3, { inReplyToId: '100' }),
    tweet('103', '4', 4),
  ]);
});
afterAll(() => server.close());

/** The node id of a user. */
export const userNode = (userId: string) => encodeNodeId('User', userId);

/** The node id of a tweet. */
export const tweetNode = (tweetId: string) => encodeNodeId('Tweet', tweetId);

/** Posts a tweet; the codes of what went wrong. */
export function refused(input: Variables, who = '1'): Promise<string[]> {
  return codesOf(server, who, 'createTweet', { input });
}

/** Deletes a tweet; the codes of what went wrong. */
export function remove(who: string, id: string): Promise<string[]> {
  return codesOf(server, who, 'deleteTweet', { id });
}

/** How many tweets a user has. */
export async function tweetCount(userId: string): Promise<number> {
  const data = await ask(server, `{ user(username: "user${userId}") { tweetCount } }`);
  return (data as { user: { tweetCount: number } }).user.tweetCount;
}
