import { encodeNodeId } from '../src/kit/relay/node';
import { createSchema } from '../src/schema';
import { follow, person, startHarness, tweet, type Harness } from './harness';
import { act, ask, codesOf, mutations, post, type Mutation, type Variables } from './mutations';

let server: Harness;
let other: Harness;
beforeAll(async () => {
  server = await startHarness();
  other = await startHarness({}, server);
  await server.store([
    ...['1', '2', '3', '4'].map((id) => person(id, `user${id}`)),
    follow('3', '2'),
    tweet('100', '2', 1, { likeCount: 7, shareCount: 5, replyCount: 3 }),
    tweet('101', '2', 2),
    tweet('102', '4', 3, { inReplyToId: '100' }),
    tweet('103', '4', 4),
  ]);
});
afterAll(async () => {
  await other.close();
  await server.close();
});

const user = (id: string) => encodeNodeId('User', id);
const one = (id: string) => encodeNodeId('Tweet', id);
const refused = (input: Variables, who = '1') => codesOf(server, who, 'createTweet', { input });
const remove = (who: string, id: string) => codesOf(server, who, 'deleteTweet', { id });
const tweetCount = async (id: string) =>
  ((await ask(server, `{ user(username: "user${id}") { tweetCount } }`)) as { user: { tweetCount: number } })
    .user.tweetCount;

describe('an idempotency key', () => {
  test('makes one tweet, however often and through whichever server it comes', async () => {
    const before = await tweetCount('1');
    const input = {
      content: 'once #only',
      language: 'en',
      location: { latitude: 1, longitude: 2 },
      inReplyTo: one('101'),
      idempotencyKey: 'a key',
    };
    const posted = await Promise.all(
      Array.from({ length: 20 }, (_, n) => post(n % 2 === 0 ? server : other, '1', input)),
    );
    posted.push(await post(other, '1', input));
    expect(new Set(posted.map(({ tweetId }) => tweetId)).size).toBe(1);
    expect(posted[0]).toMatchObject({ content: 'once #only', hashtags: ['only'] });
    await server.writeContext.outbox.idle();
    await other.writeContext.outbox.idle();
    expect(await tweetCount('1')).toBe(before + 1);
    expect(
      await ask(server, '{ tweet(tweetId: "101") { replyCount replies { nodes { content } } } }'),
    ).toEqual({ tweet: { replyCount: 1, replies: { nodes: [{ content: 'once #only' }] } } });
  });

  test.each([
    ['content', { content: 'another' }],
    ['a target', { inReplyTo: one('100') }],
    ['a quote', { quotes: one('100') }],
    ['a language', { language: 'fr' }],
    ['a place', { location: { latitude: 1, longitude: 1 } }],
  ])('with other content is a conflict: %s', async (_what, change) => {
    const input = { content: 'the same', idempotencyKey: `same ${_what}` };
    await post(server, '1', input);
    expect(await refused({ ...input, ...change })).toEqual(['CONFLICT']);
    await post(server, '1', input);
  });

  test('of a tweet that was deleted since is not found', async () => {
    const input = { content: 'short-lived', idempotencyKey: 'deleted' };
    const { id } = await post(server, '1', input);
    expect(await remove('1', id)).toEqual([]);
    expect(await refused(input)).toEqual(['NOT_FOUND']);
    expect(await refused({ ...input, content: 'another' })).toEqual(['CONFLICT']);
  });

  test('that was refused is refused alike each time', async () => {
    const input = { content: 'x', inReplyTo: one('999'), idempotencyKey: 'refused' };
    for (let n = 0; n < 4; n++) expect(await refused(input)).toEqual(['BAD_USER_INPUT']);
  });

  test('is its caller’s own', async () => {
    const input = { content: 'by two', idempotencyKey: 'shared key' };
    const [a, b] = [await post(server, '1', input), await post(server, '2', input)];
    expect(a.tweetId).not.toBe(b.tweetId);
    await post(server, '3', { ...input, content: 'by a third' });
  });

  test('may come again when its target is gone', async () => {
    const target = await post(server, '2', { content: 'goes' });
    const input = { content: 'stays', inReplyTo: target.id, idempotencyKey: 'target' };
    const before = await post(server, '1', input);
    expect(await remove('2', target.id)).toEqual([]);
    expect(await post(server, '1', input)).toMatchObject({ tweetId: before.tweetId, inReplyTo: null });
  });

  test('has 1 to 100 characters', async () => {
    for (const length of [0, 101])
      expect(await refused({ content: 'x', idempotencyKey: 'k'.repeat(length) })).toEqual(['BAD_USER_INPUT']);
    expect(await refused({ content: 'x', idempotencyKey: 'k'.repeat(100) })).toEqual([]);
  });
});

describe('a text', () => {
  const FAMILY = '👨‍👩‍👧‍👦';
  test('may have 500 graphemes, whatever each is made of', async () => {
    expect(await post(server, '1', { content: FAMILY.repeat(500) })).toMatchObject({
      content: FAMILY.repeat(500),
      language: 'und',
    });
    expect(await refused({ content: FAMILY.repeat(501) })).toEqual(['BAD_USER_INPUT']);
    expect(await refused({ content: 'x'.repeat(501) })).toEqual(['BAD_USER_INPUT']);
    expect(await refused({ content: `x${'\u0301'.repeat(20_000)}` })).toEqual(['BAD_USER_INPUT']);
  });

  test('of the longest kind stands whole in every list', async () => {
    const content = `${FAMILY.repeat(499)}x`;
    const target = await post(server, '2', { content: 'target' });
    await post(server, '2', { content, inReplyTo: target.id });
    await server.writeContext.outbox.idle();
    const first = '(first: 1) { nodes { content } }';
    expect(
      await ask(
        server,
        `{ user(username: "user2") { tweets${first} } reader: user(username: "user3") { timeline${first} } tweet(tweetId: "${target.tweetId}") { replies${first} } tweetsOfDay(day: "${new Date().toISOString().slice(0, 10)}", first: 1) { nodes { content } } }`,
      ),
    ).toEqual({
      user: { tweets: { nodes: [{ content }] } },
      reader: { timeline: { nodes: [{ content }] } },
      tweet: { replies: { nodes: [{ content }] } },
      tweetsOfDay: { nodes: [{ content }] },
    });
  });

  test.each(['', ' ', '\n\t ', '\u00a0\u2003', 'a\ud800', '\udc00b', '\udc00\ud800'])(
    'is refused that is blank or no Unicode: %j',
    async (content) => {
      expect(await refused({ content })).toEqual(['BAD_USER_INPUT']);
    },
  );

  test('is kept as given', async () => {
    const content = ' <b>&amp; "quoted"\r\n\u0000 {"json": 1} \u202e İß ';
    const { tweetId } = await post(server, '1', { content });
    expect(await ask(server, `{ tweet(tweetId: "${tweetId}") { content } }`)).toEqual({ tweet: { content } });
  });

  test('tells its hashtags and mentions, each once', async () => {
    const content = '#One #two #One ＃drei #4 https://x.org/#no a#no @Ada hello@no @bo_1, @Ada ＠cy #été';
    expect(await post(server, '1', { content })).toMatchObject({
      hashtags: ['One', 'two', 'drei', 'été'],
      mentions: ['Ada', 'bo_1', 'cy'],
    });
  });

  test('tells its language unless that is given', async () => {
    const content = 'Guten Morgen, wie geht es dir heute? Ich hoffe, du hast gut geschlafen.';
    expect(await post(server, '1', { content })).toMatchObject({ language: 'de' });
    expect(await post(server, '1', { content, language: 'fr' })).toMatchObject({ language: 'fr' });
    expect(await post(server, '1', { content, language: 'EN-gb' })).toMatchObject({ language: 'en-GB' });
    expect(await post(server, '1', { content: '12 :-)' })).toMatchObject({ language: 'und' });
  });

  test.each(
    ['', 'x', 'english', 'de_', '1', 'de-', '\ud800', 'x'.repeat(5000)].map((tag) => [tag.slice(0, 20), tag]),
  )('is refused with a language that is none: %j', async (_short, language) => {
    expect(await refused({ content: 'x', language })).toEqual(['BAD_USER_INPUT']);
  });
});

describe('a place', () => {
  test.each([
    [90, 180],
    [-90, -180],
    [0, 0],
  ])('may be %d, %d', async (latitude, longitude) => {
    const location = { latitude, longitude, country: 'Chad' };
    expect(await post(server, '1', { content: 'here', location })).toMatchObject({ location });
  });

  test.each([
    { latitude: 90.000001, longitude: 0 },
    { latitude: -90.000001, longitude: 0 },
    { latitude: 0, longitude: 180.000001 },
    { latitude: 0, longitude: -180.000001 },
    { latitude: 1e308, longitude: 0 },
    { latitude: 0, longitude: 0, country: '' },
    { latitude: 0, longitude: 0, country: 'x'.repeat(101) },
    { latitude: 0, longitude: 0, country: '\ud800' },
  ])('may not be %j', async (location) => {
    expect(await refused({ content: 'here', location })).toEqual(['BAD_USER_INPUT']);
  });
});

describe('a reply or quote', () => {
  test.each(['inReplyTo', 'quotes'])('of what is not there is refused: %s', async (field) => {
    const gone = await post(server, '2', { content: 'gone' });
    expect(await remove('2', gone.id)).toEqual([]);
    for (const id of [one('999'), gone.id, user('1'), '', 'x', '\ud800'])
      expect(await refused({ content: 'x', [field]: id })).toEqual(['BAD_USER_INPUT']);
  });

  test('of a share is one of its original', async () => {
    const original = await post(server, '2', { content: 'to be shared' });
    await act(server, '3', 'shareTweet', { id: original.id });
    const { user: sharer } = (await ask(
      server,
      '{ user(username: "user3") { tweets(first: 1) { nodes { id sharedTweet { id } } } } }',
    )) as { user: { tweets: { nodes: { id: string }[] } } };
    const [share] = sharer.tweets.nodes;
    expect(share).toMatchObject({ sharedTweet: { id: original.id } });
    const { tweetId } = original;
    expect(
      await post(server, '1', { content: 'both', inReplyTo: share?.id, quotes: share?.id }),
    ).toMatchObject({ inReplyTo: { tweetId, replyCount: 1 }, quotedTweet: { tweetId } });
    expect(await act(server, '1', 'likeTweet', { id: share?.id })).toEqual({
      tweet: { tweetId, likeCount: 1 },
    });
    expect(await act(server, '1', 'shareTweet', { id: share?.id })).toEqual({
      tweet: { tweetId, shareCount: 2 },
    });
    expect(await act(server, '1', 'unshareTweet', { id: share?.id })).toEqual({
      tweet: { tweetId, shareCount: 1 },
    });
    // Once more, by the id of the share that this takes away.
    for (let n = 0; n < 2; n++)
      expect(await act(server, '3', 'unshareTweet', { id: share?.id })).toEqual({
        tweet: { tweetId, shareCount: 0 },
      });
    expect(await act(server, '1', 'unlikeTweet', { id: share?.id })).toEqual({
      tweet: { tweetId, likeCount: 0 },
    });
    for (let n = 0; n < 2; n++)
      expect(await act(server, '3', 'shareTweet', { id: share?.id })).toEqual({
        tweet: { tweetId, shareCount: 1 },
      });
    expect(await remove('2', original.id)).toEqual([]);
    expect(await codesOf(server, '3', 'unshareTweet', { id: share?.id })).toEqual(['NOT_FOUND']);
  });
});

describe('deleting', () => {
  test('is its author’s only, and succeeds again', async () => {
    const { id } = await post(server, '2', { content: 'mine' });
    expect(await remove('1', id)).toEqual(['FORBIDDEN']);
    expect(await ask(server, `{ node(id: "${id}") { id } }`)).toEqual({ node: { id } });
    for (let n = 0; n < 3; n++) expect(await remove('2', id)).toEqual([]);
    expect(await remove('1', id)).toEqual(['FORBIDDEN']);
    expect(await ask(server, `{ node(id: "${id}") { id } }`)).toEqual({ node: null });
  });

  test('of what was never there is not found, of what is no tweet refused', async () => {
    expect(await remove('1', one('999'))).toEqual(['NOT_FOUND']);
    for (const id of [user('1'), 'x', '']) expect(await remove('1', id)).toEqual(['BAD_USER_INPUT']);
  });

  test('a reply takes it out of the replies and their count', async () => {
    const target = await post(server, '2', { content: 'target' });
    const [first, second] = [
      await post(server, '1', { content: 'first', inReplyTo: target.id }),
      await post(server, '1', { content: 'second', inReplyTo: target.id }),
    ];
    const before = await tweetCount('1');
    const shown = `{ tweet(tweetId: "${target.tweetId}") { replyCount replies { nodes { content } } } }`;
    expect(await remove('1', second.id)).toEqual([]);
    expect(await ask(server, shown)).toEqual({
      tweet: { replyCount: 1, replies: { nodes: [{ content: 'first' }] } },
    });
    expect(await tweetCount('1')).toBe(before - 1);
    expect(await remove('1', first.id)).toEqual([]);
    await server.writeContext.outbox.idle();
    expect(await ask(server, shown)).toEqual({ tweet: { replyCount: 0, replies: { nodes: [] } } });
    expect(await tweetCount('1')).toBe(before - 2);
  });

  test('a tweet takes it from among the most liked, also where it had more likes once', async () => {
    const target = await post(server, '2', { content: 'target' });
    const { id, tweetId } = await post(server, '1', { content: 'liked once', inReplyTo: target.id });
    for (const who of ['1', '2', '3', '4']) await act(server, who, 'likeTweet', { id });
    for (const who of ['1', '2', '3', '4']) await act(server, who, 'unlikeTweet', { id });
    const magnitudes = async (table: string, owner: string, value: string) => {
      const rows = await server.database.read(
        `SELECT magnitude, CAST(tweet_id AS text) AS id FROM ${table} WHERE ${owner} = ?`,
        [value],
      );
      return (rows as { magnitude: number; id: string }[])
        .filter((row) => row.id === tweetId)
        .map(({ magnitude }) => magnitude);
    };
    const all = () =>
      Promise.all([
        magnitudes('top_tweets_by_author', 'author_id', '1'),
        magnitudes('top_replies_by_tweet', 'in_reply_to_id', target.tweetId),
      ]);
    expect(await all()).toEqual([
      [3, 2, 1],
      [3, 2, 1],
    ]);
    expect(await remove('1', id)).toEqual([]);
    await server.writeContext.outbox.idle();
    expect(await all()).toEqual([[], []]);
  });

  test('what was imported leaves the counts that were imported one less, for good', async () => {
    const shown =
      '{ user(username: "user4") { tweetCount } tweet(tweetId: "100") { likeCount shareCount replyCount } }';
    expect(await ask(server, shown)).toEqual({
      user: { tweetCount: 2 },
      tweet: { likeCount: 7, shareCount: 5, replyCount: 3 },
    });
    await act(server, '1', 'likeTweet', { id: one('100') });
    const after = { user: { tweetCount: 1 }, tweet: { likeCount: 8, shareCount: 5, replyCount: 2 } };
    for (let n = 0; n < 2; n++) {
      expect(await remove('4', one('102'))).toEqual([]);
      expect(await ask(server, shown)).toEqual(after);
      await server.writeContext.outbox.idle();
      expect(await ask(server, shown)).toEqual(after);
    }
    await server.store([tweet('102', '4', 3, { inReplyToId: '100' })]);
    expect(await ask(server, shown)).toEqual(after);
    expect(await remove('4', one('103'))).toEqual([]);
    expect(await tweetCount('4')).toBe(0);
    const before = await tweetCount('2');
    expect(await remove('2', one('100'))).toEqual([]);
    await server.writeContext.outbox.idle();
    expect(await tweetCount('2')).toBe(before - 1);
    expect(await ask(server, '{ tweet(tweetId: "100") { id } }')).toEqual({ tweet: null });
  });
});

describe('acting', () => {
  const values: Readonly<Record<Mutation, Variables>> = {
    createUser: { input: { username: 'acting', name: 'Acting' } },
    updateUser: { input: { name: 'Acting' } },
    followUser: { id: user('2') },
    unfollowUser: { id: user('2') },
    createTweet: { input: { content: 'acting' } },
    deleteTweet: { id: one('101') },
    likeTweet: { id: one('101') },
    unlikeTweet: { id: one('101') },
    shareTweet: { id: one('101') },
    unshareTweet: { id: one('101') },
    publishArticle: { input: { title: 'Acting', body: 'acting' } },
    addComment: { input: { articleId: encodeNodeId('Article', '101'), body: 'acting' } },
  };
  const isMutation = (name: string): name is Mutation => name in mutations;
  const all = Object.keys(mutations).filter(isMutation);
  const others = all.filter((name) => name !== 'createUser');

  test('is tested here in every way', () => {
    expect([...all].sort()).toEqual(Object.keys(createSchema().getMutationType()?.getFields() ?? {}).sort());
  });

  test.each(all)('needs a token: %s', async (name) => {
    expect(await codesOf(server, null, name, values[name])).toEqual(['UNAUTHENTICATED']);
  });

  test.each(others)('needs a user: %s', async (name) => {
    expect(await codesOf(server, 'nobody yet', name, values[name])).toEqual(['UNAUTHENTICATED']);
  });

  test.each(others)('is not for services: %s', async (name) => {
    expect(await codesOf(server, 'service', name, values[name])).toEqual(['FORBIDDEN']);
  });

  test.each(others.filter((name) => 'id' in values[name]))(
    'on what was never there is not found: %s',
    async (name) => {
      const id = name.endsWith('User') ? user('999') : one('999');
      expect(await codesOf(server, '1', name, { id })).toEqual(['NOT_FOUND']);
    },
  );

  test.each(others.filter((name) => 'id' in values[name]))(
    'on what is something else is refused: %s',
    async (name) => {
      const wrong = name.endsWith('User') ? one('101') : user('1');
      for (const id of [wrong, '', 'x', '1', '\u0000'])
        expect(await codesOf(server, '1', name, { id })).toEqual(['BAD_USER_INPUT']);
    },
  );

  test.each(['followUser', 'unfollowUser'] as const)('on oneself is refused: %s', async (name) => {
    expect(await codesOf(server, '1', name, { id: user('1') })).toEqual(['BAD_USER_INPUT']);
  });
});
