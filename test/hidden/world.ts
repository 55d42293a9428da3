import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { follow, person, startHarness, tweet, type Harness } from '../support/harness';
import { act, post } from '../support/mutations';
import { take } from '../ranking/rankings';

export const [A, B, C, D] = ['1', '2', '3', '4'];
export const PEOPLE = { A, B, C, D };

/** What the world has: who has made it, or what it shares, and whom it answers. */
interface Thing {
  readonly makers: readonly string[];
  readonly answers?: string;
}
export const things = new Map<string, Thing>();
export const ids: Record<string, string> = {};
/** A server with four people who follow each other and have done everything to what the others have made. */
export async function startWorld(): Promise<Harness> {
  const server = await startHarness();
  const place = { location: { latitude: 52.5, longitude: 13.4, country: 'DE' } };
  const wall = (id: string, authorId: string, more = {}) => {
    things.set(`tweet ${id}`, { makers: [authorId] });
    return tweet(id, authorId, Number(id) % 3, {
      content: 'a stone #wall',
      hashtags: ['wall'],
      likeCount: 1,
      ...place,
      ...more,
    });
  };
  for (const userId of Object.values(PEOPLE)) things.set(`user ${userId}`, { makers: [userId] });
  await server.store([
    ...Object.entries(PEOPLE).map(([name, userId]) => ({
      ...person(userId, `user${name}`),
      twitterAccount: `on${name}`,
    })),
    ...[A, B, C, D].flatMap((one) =>
      [A, B, C, D].filter((other) => other !== one).map((other) => follow(one, other)),
    ),
    wall('101', A),
    wall('102', B),
    wall('103', C),
  ]);
  const made = async (name: string, who: string, input: object, thing: Omit<Thing, 'makers'> = {}) => {
    const { tweetId } = await post(server, who, {
      content: 'another stone #wall',
      location: place.location,
      ...input,
    });
    ids[name] = tweetId;
    things.set(`tweet ${tweetId}`, { makers: [who], ...thing });
  };
  const node = (tweetId: string) => encodeNodeId('Tweet', tweetId);
  const [a1, b1, c1] = ['101', '102', '103'];
  for (const [name, who] of Object.entries(PEOPLE))
    for (const [of, target, author] of [
      ['a', a1, A],
      ['b', b1, B],
      ['c', c1, C],
    ] as const) {
      if (name.toLowerCase() === of) continue;
      await act(server, who, 'likeTweet', { id: node(target) });
      if (name === 'D') continue;
      await made(`${name} answers ${of}`, who, { inReplyTo: node(target) }, { answers: author });
      await made(`${name} quotes ${of}`, who, { quotes: node(target) });
      const shared = 'mutation ($id: ID!) { shareTweet(id: $id) { share { tweetId } } }';
      const { data } = await server.query(shared, { id: node(target) }, who);
      const { share } = (data as { shareTweet: { share: { tweetId: string } } }).shareTweet;
      ids[`${name} shares ${of}`] = share.tweetId;
      things.set(`tweet ${share.tweetId}`, { makers: [who, author] });
    }
  await made('C answers b again', C, { inReplyTo: node(ids['B answers a'] ?? '') }, { answers: B });
  for (const [name, who] of Object.entries(PEOPLE)) {
    const input = { title: name, body: 'stone' };
    const { article } = (await act(server, who, 'publishArticle', { input })) as { article: { id: string } };
    ids[`article ${name}`] = article.id;
    things.set(`article ${article.id}`, { makers: [who] });
  }
  for (const [name, who] of Object.entries(PEOPLE))
    for (const whose of ['A', 'B', 'C']) {
      const input = { articleId: ids[`article ${whose}`], body: `by ${name}` };
      const { comment } = (await act(server, who, 'addComment', { input })) as { comment: { id: string } };
      ids[`comment ${name} on ${whose}`] = comment.id;
      things.set(`comment ${comment.id}`, { makers: [who] });
    }
  await server.writeServices.outbox.idle();
  await take(server);
  return server;
}
