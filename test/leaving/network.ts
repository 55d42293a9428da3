import type { Harness } from '../support/harness';
import { act, post, put, send, type Mutation, type Person, type Variables } from '../support/mutations';

/** A small network in which people do whatever they can do, in random order. */
export interface Network {
  readonly people: readonly Person[];
  /** Lets people do so many random things. */
  live(acts: number): Promise<void>;
}

const PLACES = [
  { latitude: 48, longitude: 16, country: 'Austria' },
  { latitude: -33, longitude: 151 },
];

/** Creates people. `random` gives numbers from 0 to 1. */
export async function createNetwork(
  server: Harness,
  size: number,
  random: () => number,
  prefix: string,
): Promise<Network> {
  const people: Person[] = [];
  for (let n = 0; n < size; n++)
    people.push(
      await put(server, 'service', 'createUser', { username: `${prefix}${n}`, name: `Person ${n}` }),
    );
  const tweets: string[] = [];
  const articles: string[] = [];
  const pick = <T>(of: readonly T[]): T | undefined => of[Math.floor(random() * of.length)];
  /** What may fail because somebody else deleted it. */
  const attempt = async (who: string, name: Mutation, variables: Variables) => {
    const { errors } = await send(server, who, name, variables);
    const codes = errors.map(({ extensions }) => extensions.code);
    expect(codes.filter((code) => code !== 'NOT_FOUND' && code !== 'FORBIDDEN')).toEqual([]);
  };
  const acts: readonly ((who: string) => Promise<unknown>)[] = [
    (who) => attempt(who, 'followUser', { id: pick(people.filter(({ userId }) => userId !== who))?.id }),
    (who) => attempt(who, 'followUser', { id: pick(people.filter(({ userId }) => userId !== who))?.id }),
    (who) => attempt(who, 'unfollowUser', { id: pick(people.filter(({ userId }) => userId !== who))?.id }),
    async (who) => {
      const quotes = random() < 0.3 ? pick(tweets) : undefined;
      const inReplyTo = random() < 0.4 ? pick(tweets) : undefined;
      const location = random() < 0.3 ? pick(PLACES) : undefined;
      const content = `Tea ${tweets.length} #tea by @${prefix}0`;
      const input = {
        content,
        ...(quotes && { quotes }),
        ...(inReplyTo && { inReplyTo }),
        ...(location && { location }),
      };
      const { data } = await send(server, who, 'createTweet', { input });
      const tweet = (data as { createTweet: { tweet: { id: string } } | null }).createTweet?.tweet;
      if (tweet) tweets.push(tweet.id);
    },
    (who) => attempt(who, 'likeTweet', { id: pick(tweets) }),
    (who) => attempt(who, 'likeTweet', { id: pick(tweets) }),
    (who) => attempt(who, 'unlikeTweet', { id: pick(tweets) }),
    (who) => attempt(who, 'shareTweet', { id: pick(tweets) }),
    (who) => attempt(who, 'unshareTweet', { id: pick(tweets) }),
    (who) => attempt(who, 'deleteTweet', { id: pick(tweets) }),
    async (who) => {
      const input = { title: 'Tea', body: 'About tea', tags: ['tea'] };
      articles.push(
        ((await act(server, who, 'publishArticle', { input })) as { article: { id: string } }).article.id,
      );
    },
    (who) => attempt(who, 'bookmarkTweet', { id: pick(tweets), folder: pick(['Tea', 'Later', null]) }),
    (who) => attempt(who, 'removeBookmark', { id: pick(tweets) }),
    (who) => attempt(who, 'addComment', { input: { articleId: pick(articles), body: 'Tea is good' } }),
    (who) => attempt(who, 'blockUser', { id: pick(people.filter(({ userId }) => userId !== who))?.id }),
    (who) => attempt(who, 'unblockUser', { id: pick(people.filter(({ userId }) => userId !== who))?.id }),
    (who) => attempt(who, 'muteUser', { id: pick(people.filter(({ userId }) => userId !== who))?.id }),
    (who) => attempt(who, 'updateUser', { input: { name: `Another ${Math.floor(random() * 100)}` } }),
  ];
  for (const { userId } of people) tweets.push((await post(server, userId, { content: 'Hello #tea' })).id);
  articles.push(
    (
      (await act(server, people[0]?.userId ?? '', 'publishArticle', {
        input: { title: 'First', body: 'A text' },
      })) as { article: { id: string } }
    ).article.id,
  );
  return {
    people,
    async live(count) {
      for (let n = 0; n < count; n++) await pick(acts)?.(pick(people)?.userId ?? '');
    },
  };
}
