import { randomFrom } from '../../src/kit/base/random';
import { graphql, send } from './send';
import { flood, type Attack, type Target } from './target';

const POST = 'mutation ($i: CreateTweetInput!) { createTweet(input: $i) { tweet { id } } }';
const SEARCH = '{ searchTweets(words: ["any"], first: 1, order: NEWEST) { nodes { id } } }';
/** How many tweets are posted at once. */
const TWEETS = 40;

const random = randomFrom(38);
const draw = (count: number) => Math.floor(random() * count);
const han = () => String.fromCodePoint(0x4e00 + draw(20_000));

/** Tweets of one account, and then a search, by which the server reads their terms into its memory. */
function tweets(what: string, content: () => string): Attack {
  const posting = flood('', TWEETS, ({ person }) => ({
    headers: person,
    body: graphql(POST, { i: { content: content() } }),
  }));
  return {
    what: `${TWEETS} tweets of ${what}`,
    async run(target: Target) {
      const outcome = await posting.run(target);
      await send({ port: target.port, body: graphql(SEARCH) });
      return outcome;
    },
  };
}

/** Tweets whose terms no other tweet has. Every server keeps them in memory until they are sealed. */
export const termAttacks: readonly Attack[] = [
  tweets('500 Han letters, which are 500 pairs', () => Array.from({ length: 500 }, han).join('')),
  tweets('30 long hashtags', () =>
    Array.from({ length: 30 }, () => `#${Array.from({ length: 14 }, han).join('')}`).join(' '),
  ),
];
