import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { createStore } from '../../src/import/store/store';
import type { ImportRecord } from '../../src/import/records/record';
import { setFollowing } from '../../src/write/follow/set-following';
import type { Database } from '../../src/kit/cassandra/database';
import { taskHandlers } from '../../src/app';
import { postTweet } from '../../src/write/tweet/post-tweet';
import { openWriteServices } from '../../src/write/write-services';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { follow, person, refusedIn, startHarness, tweet, type Harness } from '../support/harness';
import { importFiles } from './import-files';
import { act, ask, plain, post, put } from '../support/mutations';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});

const SHOWN = '{ user(username: "user2") { followerCount tweetCount } tweet(tweetId: "100") { replyCount } }';

test('who is acted on while an import counts has the right counts', async () => {
  await server.store([...['1', '2', '3'].map((id) => person(id, `user${id}`)), tweet('100', '2', 1)]);
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  // A server that takes long between storing what is counted and counting it.
  const slow: Database = {
    ...server.database,
    async compareAndWrite(writes) {
      // An author's tweets are counted before they are stored.
      const isAfterRows = !writes.some(({ params }) => params.includes('tweets'));
      if (isAfterRows && writes.some(({ query }) => query.includes('tallies'))) await gate;
      return server.database.compareAndWrite(writes);
    },
  };
  const writeServices = await openWriteServices(slow, server.config, pino({ level: 'silent' }));
  writeServices.outbox.start(taskHandlers(writeServices));
  const following = setFollowing(writeServices, '1', '2', true);
  const posting = postTweet(writeServices, '2', {
    key: null,
    content: null,
    inReplyToId: '100',
    quotedTweetId: null,
    draft: () => Promise.resolve({ ...plain, content: 'a reply', inReplyToId: '100' }),
  });
  const isStored =
    '{ user(username: "user2") { followers { nodes { id } } } tweet(tweetId: "100") { replies { nodes { id } } } }';
  while ((JSON.stringify(await ask(server, isStored)).match(/"id"/g) ?? []).length < 2) await sleep(50);
  const importing = server.store([
    follow('3', '2'),
    tweet('101', '2', 2),
    tweet('102', '3', 3, { inReplyToId: '100' }),
  ]);
  // The import has had the time to count what is stored.
  await Promise.race([importing, sleep(3000)]);
  open();
  await Promise.all([following, posting, importing]);
  await writeServices.outbox.idle();
  await writeServices.close();
  expect(await ask(server, SHOWN)).toEqual({
    user: { followerCount: 2, tweetCount: 3 },
    tweet: { replyCount: 2 },
  });
});

test('who signs up while an import runs keeps the name and the account', async () => {
  const store = createStore(server.database, server.config);
  const add = async (...records: ImportRecord[]) => [...refusedIn(await store.add(records)).values()];
  const signUp = (username: string, more: object = {}) =>
    put(server, `identity ${username}`, 'createUser', { username, name: 'Signed up', ...more });
  expect(await add(person('21', 'first_imported'))).toEqual([]);
  const bob = await signUp('bob');
  const eve = await signUp('eve', { twitterAccount: 'dan' });
  expect(await add(person('22', 'Bob'), person('23', 'dan'))).toEqual([
    `the username belongs to another user: Bob is user ${bob.userId}`,
  ]);
  expect(await add({ ...tweet('400', ''), author: { username: 'BOB' } })).toEqual([]);
  await store.settle();
  expect(
    await ask(
      server,
      '{ user(username: "bob") { userId name tweetCount } userByTwitterAccount(twitterAccount: "dan") { userId } other: user(username: "dan") { userId twitterAccount } tweet(tweetId: "400") { author { name } } }',
    ),
  ).toEqual({
    user: { userId: bob.userId, name: 'Signed up', tweetCount: 1 },
    userByTwitterAccount: { userId: eve.userId },
    other: { userId: '23', twitterAccount: null },
    tweet: { author: { name: 'Signed up' } },
  });
});

test('an account that somebody else has costs its value, and neither the person nor the tweets', async () => {
  await put(server, 'identity ivy', 'createUser', { username: 'ivy', name: 'ivy', twitterAccount: 'jon' });
  const files = {
    'users.csv': 'user_id,username,name\n41,jon,Jon\n',
    'tweets.json': JSON.stringify({
      ...{ id_str: '4100', full_text: 'by jon', created_at: 'Wed May 01 10:00:00 +0000 2019' },
      user: { id_str: '41', screen_name: 'jon', name: 'Jon' },
    }),
  };
  for (const stored of [2, 0]) {
    const { table, rejected } = await importFiles(server, files);
    expect(rejected).toEqual([]);
    expect(table).toMatchObject({ stored, rejected: 0, twitterAccount: 2 });
  }
  expect(
    await ask(
      server,
      '{ jon: user(username: "jon") { userId name twitterAccount tweets { nodes { tweetId } } } userByTwitterAccount(twitterAccount: "jon") { username } }',
    ),
  ).toEqual({
    jon: { userId: '41', name: 'Jon', twitterAccount: null, tweets: { nodes: [{ tweetId: '4100' }] } },
    userByTwitterAccount: { username: 'ivy' },
  });
});

test('who signed up here with a name like the username keeps the profile', async () => {
  const kay = await put(server, 'identity kay', 'createUser', { username: 'kay', name: 'kay' });
  expect([...(await server.store([{ ...person(kay.userId, 'kay'), name: 'Another' }])).values()]).toEqual([
    `the user already has a different profile: ${kay.userId}`,
  ]);
  expect(await ask(server, '{ user(username: "kay") { name twitterAccount } }')).toEqual({
    user: { name: 'kay', twitterAccount: null },
  });
});

test('of a sign-up and an import that come to one name at once, the later one gives way', async () => {
  let signedUp: Promise<unknown> | undefined;
  const between: Database = {
    ...server.database,
    async compareAndWrite(writes) {
      // The import has read by now that nobody has the name.
      await (signedUp ??= put(server, 'identity cy', 'createUser', { username: 'cy', name: 'Cy' }));
      return server.database.compareAndWrite(writes);
    },
  };
  const store = createStore(between, server.config);
  const outcomes = await store.add([
    { ...person('31', 'CY'), onTwitter: false },
    { ...tweet('500', ''), author: { username: 'cy' } },
    person('32', 'cyd'),
  ]);
  expect([...refusedIn(outcomes)]).toEqual([
    [0, 'the username is taken: CY'],
    [1, 'the username is taken: CY'],
  ]);
  expect([...refusedIn(await store.add([{ ...tweet('500', ''), author: { username: 'cy' } }]))]).toEqual([]);
  await store.settle();
  expect(
    await ask(server, '{ user(username: "cy") { name tweetCount } node: user(username: "31") { id } }'),
  ).toEqual({
    user: { name: 'Cy', tweetCount: 1 },
    node: null,
  });
});

test('who stops following while tweets are pushed gets none that is posted then', async () => {
  await server.store([...['5', '6'].map((id) => person(id, `user${id}`)), follow('5', '6')]);
  // Of the month in which the other is posted, or an import would not look there.
  await post(server, '6', { content: 'posted before' });
  await server.writeServices.outbox.idle();
  const seen = new Set<string | undefined>();
  let unfollowed: Promise<unknown> | undefined;
  const unfollowAndPost = async () => {
    await act(server, '5', 'unfollowUser', { id: encodeNodeId('User', '6') });
    await server.writeServices.outbox.idle();
    await post(server, '6', { content: 'posted since' });
    await server.writeServices.outbox.idle();
  };
  const between: Database = {
    ...server.database,
    async read(cql, params, routingKey) {
      const list = /content.* FROM (tweets_by_author) |version.* FROM (followers_by_user) /.exec(cql);
      if (list && seen.add(list[1] ?? list[2]).size === 2) await (unfollowed ??= unfollowAndPost());
      return server.database.read(cql, params, routingKey);
    },
  };
  const store = createStore(between, server.config);
  await store.add([tweet('300', '6', 1)]);
  await store.settle();
  expect(await unfollowed).toBeUndefined();
  expect(unfollowed).toBeDefined();
  expect(await ask(server, '{ user(username: "user5") { timeline { nodes { content } } } }')).toEqual({
    user: { timeline: { nodes: [] } },
  });
});
