import { jobs } from '../../src/jobs/all';
import { readSuspended } from '../../src/features/moderation/suspensions';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { person, startHarness, tweet, type Harness } from '../support/harness';
import { act, ask, post } from '../support/mutations';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});

/** What is wrong in the tables that are derived from others, by their names. */
async function differences(): Promise<Record<string, readonly string[]>> {
  const context = { database: server.database, retentionMonths: server.config.timelineRetentionMonths };
  const found: Record<string, readonly string[]> = {};
  for (const job of jobs) {
    const { examples } = await job.verify(context, 1000);
    if (examples.length > 0) found[job.name] = examples;
  }
  return found;
}

test('the tweets of an author who gets the id of a profile stay among the most liked, and nothing of the former id is left', async () => {
  const byAda = (tweetId: string, day: number, more: object) => ({
    ...tweet(tweetId, '', day, more),
    author: { username: 'ada' },
  });
  await server.store([
    ...['bo', 'cy', 'dee'].map((username) => ({
      ...{ kind: 'follow' as const, follower: { username }, followee: { username: 'ada' } },
    })),
    byAda('100', 1, { likeCount: 7 }),
    byAda('101', 2, {}),
    byAda('102', 3, { likeCount: 2, shareCount: 0, replyCount: 0 }),
  ]);
  await server.store([person('1', 'ada')]);
  const { data } = await server.query(`{
    ada: user(username: "ada") { userId tweets(order: MOST_LIKED) { nodes { tweetId } } }
    bo: user(username: "bo") { timeline(order: MOST_LIKED) { nodes { tweetId author { userId } } } }
  }`);
  const ordered = ['100', '102', '101'].map((tweetId) => ({ tweetId }));
  expect(data).toEqual({
    ada: { userId: '1', tweets: { nodes: ordered } },
    bo: { timeline: { nodes: ordered.map((node) => ({ ...node, author: { userId: '1' } })) } },
  });
  expect(await differences()).toEqual({});
});

test('what a user shares and follows by name is that of the profile, nobody follows oneself, and notifications name nobody else', async () => {
  const byDee = (tweetId: string, more: object) => ({
    ...tweet(tweetId, '', 2, more),
    author: { username: 'Dee2' },
  });
  await server.store([
    person('10', 'eva'),
    ...['200', '201'].map((tweetId) => tweet(tweetId, '10')),
    byDee('301', { sharedTweetId: '200' }),
    { kind: 'follow', follower: { userId: '51' }, followee: { username: 'dee2' } },
  ]);
  const { user } = (await ask(server, '{ user(username: "dee2") { userId } }')) as {
    user: { userId: string };
  };
  await act(server, user.userId, 'followUser', { id: encodeNodeId('User', '10') });
  await act(server, user.userId, 'shareTweet', { id: encodeNodeId('Tweet', '201') });
  await server.writeServices.outbox.idle();
  expect(await differences()).toEqual({});
  await server.store([person('51', 'dee2')]);
  const sharers = { sharers: { nodes: [{ userId: '51' }] } };
  expect(
    await ask(
      server,
      `{ first: tweet(tweetId: "200") { sharers { nodes { userId } } } second: tweet(tweetId: "201") { sharers { nodes { userId } } }
         user(username: "dee2") { followerCount followingCount followers { nodes { userId } } following { nodes { userId } } } }`,
    ),
  ).toEqual({
    first: sharers,
    second: sharers,
    user: {
      followerCount: 0,
      followingCount: 1,
      followers: { nodes: [] },
      following: { nodes: [{ userId: '10' }] },
    },
  });
  expect(await differences()).toEqual({});
});

test('what a user of a name has posted here is counted for the user of the profile, and its deletion, too', async () => {
  await server.store([{ ...tweet('500', ''), author: { username: 'ann' } }]);
  const { user } = (await ask(server, '{ user(username: "ann") { userId } }')) as {
    user: { userId: string };
  };
  const posted = [
    await post(server, user.userId, { content: 'one' }),
    await post(server, user.userId, { content: 'two' }),
  ];
  await server.writeServices.outbox.idle();
  await server.store([person('80', 'ann')]);
  const shown = '{ user(username: "ann") { userId tweetCount tweets { nodes { tweetId } } } }';
  expect(await ask(server, shown)).toMatchObject({ user: { userId: '80', tweetCount: 3 } });
  for (const { id } of posted) await act(server, '80', 'deleteTweet', { id });
  await server.writeServices.outbox.idle();
  expect(await ask(server, shown)).toEqual({
    user: { userId: '80', tweetCount: 1, tweets: { nodes: [{ tweetId: '500' }] } },
  });
  expect(await differences()).toEqual({});
});

test('notifications of what a user of a name has replied, mentioned and commented name the user of the profile', async () => {
  await server.store([
    person('90', 'kim'),
    person('91', 'lou'),
    tweet('600', '90'),
    { ...tweet('601', ''), author: { username: 'max' } },
  ]);
  const { user } = (await ask(server, '{ user(username: "max") { userId } }')) as {
    user: { userId: string };
  };
  const { article } = (await act(server, '90', 'publishArticle', { input: { title: 't', body: 'b' } })) as {
    article: { id: string };
  };
  await post(server, user.userId, { content: 'a reply', inReplyTo: encodeNodeId('Tweet', '600') });
  await post(server, user.userId, { content: 'hello @kim @lou' });
  await post(server, '90', { content: 'hello @max' });
  await act(server, user.userId, 'addComment', { input: { articleId: article.id, body: 'c' } });
  await server.writeServices.outbox.idle();
  await server.store([person('92', 'max')]);
  const shown =
    '{ viewer { unreadNotifications { count } notifications { nodes { text actors { nodes { userId } } } } } }';
  const by = { actors: { nodes: [{ userId: '92' }] } };
  expect(await ask(server, shown, '90')).toEqual({
    viewer: {
      unreadNotifications: { count: 3 },
      notifications: {
        nodes: [
          { text: 'The max commented on your article.', ...by },
          { text: 'The max mentioned you.', ...by },
          { text: 'The max replied below your tweet.', ...by },
        ],
      },
    },
  });
  expect(await differences()).toEqual({});
});

test('a suspension goes with the user, and whoever leaves is not merged', async () => {
  const by = (username: string, tweetId: string) => ({ ...tweet(tweetId, ''), author: { username } });
  await server.store([by('spam', '400'), by('goer', '401')]);
  const idOf = async (username: string) =>
    ((await ask(server, `{ user(username: "${username}") { userId } }`)) as { user: { userId: string } }).user
      .userId;
  const [spam, goer] = [await idOf('spam'), await idOf('goer')];
  await act(server, 'service', 'suspendUser', { id: encodeNodeId('User', spam), reason: 'spam' });
  await act(server, goer, 'deleteAccount', { confirm: 'goer' });
  expect([...(await server.store([person('70', 'spam'), person('71', 'goer')]))]).toEqual([
    [1, `the account was deleted here: ${goer}`],
  ]);
  await server.writeServices.suspensions.look();
  expect([...(await readSuspended(server.database)).keys()]).toEqual(['70']);
  expect(
    await ask(
      server,
      '{ spam: user(username: "spam") { userId } tweet(tweetId: "400") { tweetId } gone: tweet(tweetId: "401") { tweetId } }',
    ),
  ).toEqual({ spam: null, tweet: null, gone: null });
});
