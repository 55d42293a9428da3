import { setTimeout as sleep } from 'node:timers/promises';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { follow, person, startHarness, tweet, type Harness } from '../support/harness';
import { act } from '../support/mutations';
import { nameRequest, startProxy, type Proxy } from '../support/proxy';

/** How often each act is counted: the least number is that without requests that come only now and then. */
const TIMES = 5;
const TWEETS = Array.from({ length: 2 * TIMES + 2 }, (_, n) => String(100 + n));

let proxy: Proxy;
let server: Harness;
/** What is sent without any act. */
let periodic: ReadonlySet<string>;
beforeAll(async () => {
  proxy = await startProxy(process.env['CASSANDRA_CONTACT_POINTS'] ?? '');
  // As servers are: they remember their callers.
  server = await startHarness({ CASSANDRA_CONTACT_POINTS: proxy.address, CACHE_SECONDS: '2' });
  await server.store([
    ...['1', '2', '3', '4'].map((id) => person(id, `user${id}`)),
    follow('2', '1'),
    follow('3', '1'),
    ...TWEETS.map((id) => tweet(id, '1')),
  ]);
  await post('tweetId');
  await like('4', TWEETS.at(-1) ?? '');
  await server.writeServices.outbox.idle();
  const from = proxy.statements.length;
  await sleep(5000);
  periodic = new Set(proxy.statements.slice(from).map(nameRequest));
});
afterAll(async () => {
  await server.close();
  await proxy.close();
});

const like = (who: string, id: string) => act(server, who, 'likeTweet', { id: encodeNodeId('Tweet', id) });
const post = async (field: string) => {
  const source = `mutation ($input: CreateTweetInput!) { createTweet(input: $input) { tweet { ${field} } } }`;
  const { errors } = await server.query(source, { input: { content: 'hello' } }, '1');
  expect(errors).toEqual([]);
};

/** The write of a task takes along the row that tells of a recent writer, unless that is half a second old at most. */
const withoutWriter = (name: string) => (name === 'batch of outbox, recent_writers' ? 'write outbox' : name);

/** Does something several times. Resolves to the requests that it took the time it took least, by name. */
async function requestsOf(work: (time: number) => Promise<unknown>): Promise<string[]> {
  let least: string[] | undefined;
  for (let time = 0; time < TIMES; time++) {
    await server.writeServices.outbox.idle();
    const from = proxy.statements.length;
    await work(time);
    await server.writeServices.outbox.idle();
    const names = proxy.statements.slice(from).map(nameRequest).map(withoutWriter);
    const own = names.filter((name) => !periodic.has(name));
    if (least === undefined || own.length < least.length) least = own;
  }
  return (least ?? []).sort();
}

/** What a post and what a like always takes. */
const OF_POST = [
  'batch of timelines_by_user',
  'batch of tweets, tweets_by_author, tweets_by_day, tweets_by_minute, unsealed_entries, user_counts',
  'read fanout_modes',
  'read followers_by_user',
  'read tallies',
  'read tweet_frequency',
  'read tweet_frequency',
  'read tweets',
  'read user_counts',
  'transaction of tallies',
  'transaction of tallies',
  'write outbox',
  'write outbox',
  'write tweet_frequency',
  'write tweet_frequency',
  'write tweet_frequency',
];
const OF_LIKE = [
  'read relations',
  'read tallies',
  'read tallies',
  'read tweet_counts',
  'read tweets',
  'read tweets',
  'transaction of notification_groups',
  'transaction of tallies',
  'write notifications_by_user',
  'write outbox',
  'write outbox',
];

test('a post takes 15 requests, and a batch for its followers', async () => {
  expect(await requestsOf(() => post('tweetId'))).toEqual(OF_POST);
});

test('one more tells who has posted it, and none how many tweets the author has', async () => {
  expect(await requestsOf(() => post('author { tweetCount }'))).toEqual([...OF_POST, 'read users'].sort());
});

test('the first like of a tweet takes 13 requests', async () => {
  const first = [
    'batch of engagements_by_user, likes_by_tweet, likes_by_user, top_tweets_by_author, tweet_counts, unsealed_entries',
    'read list_buckets',
  ];
  expect(await requestsOf((time) => like('4', TWEETS[time] ?? ''))).toEqual([...OF_LIKE, ...first].sort());
});

test('a later like takes 14 requests where a server knows the list, and the tweet stays where it is among the most liked', async () => {
  const liked = TWEETS.slice(TIMES, 2 * TIMES);
  for (const id of liked) for (const who of ['2', '3']) await like(who, id);
  const later = [
    'batch of engagements_by_user, likes_by_tweet, likes_by_user, tweet_counts',
    'read notification_groups',
    'read notification_groups',
  ];
  expect(await requestsOf((time) => like('4', liked[time] ?? ''))).toEqual([...OF_LIKE, ...later].sort());
});
