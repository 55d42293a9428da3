import { randomFrom } from '../../src/kit/base/random';
import { request } from 'node:http';
import { graphql, send, type Outcome } from './send';
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

/** How many subscriptions one caller has. */
const SUBSCRIPTIONS = 100;
const WATCHED = '天空';

/** Posts tweets while one caller watches a word that all of them have, by as many subscriptions as it may have. */
async function watched(target: Target): Promise<Outcome> {
  const body = graphql(`subscription { tweetPosted(words: ["${WATCHED}"]) { cursor } }`);
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream', ...target.person };
  const opened = Array.from({ length: SUBSCRIPTIONS }, () => {
    const asked = request({ port: target.port, path: '/graphql', method: 'POST', headers });
    const begun = new Promise((resolve) => {
      asked.once('response', (response) => response.resume().once('data', resolve));
      asked.once('error', resolve);
    });
    asked.end(body);
    return { asked, begun };
  });
  await Promise.all(opened.map(({ begun }) => begun));
  const posting = flood('', 10, ({ person }) => ({
    headers: person,
    body: graphql(POST, { i: { content: WATCHED + Array.from({ length: 490 }, han).join('') } }),
  }));
  const outcome = await posting.run(target);
  for (const { asked } of opened) asked.destroy();
  return outcome;
}

/** Tweets whose terms no other tweet has. Every server keeps them in memory until they are sealed. */
export const termAttacks: readonly Attack[] = [
  tweets('500 Han letters, which are 500 pairs', () => Array.from({ length: 500 }, han).join('')),
  tweets('30 long hashtags', () =>
    Array.from({ length: 30 }, () => `#${Array.from({ length: 14 }, han).join('')}`).join(' '),
  ),
  {
    what: `${SUBSCRIPTIONS} subscriptions to a word, and 10 tweets of 490 Han letters that have it`,
    run: watched,
  },
];
