import { startHarness, type Harness } from '../support/harness';
import { act, ask, codesOf, post } from '../support/mutations';
import { refused, remove, server, tweetCount, tweetNode, userNode } from './tweets';

describe('an idempotency key', () => {
  let other: Harness;
  beforeAll(async () => {
    other = await startHarness({}, server);
  });
  afterAll(() => other.close());

  test('makes one tweet, however often and through whichever server it comes', async () => {
    const before = await tweetCount('1');
    const input = {
      content: 'once #only',
      language: 'en',
      location: { latitude: 1, longitude: 2 },
      inReplyTo: tweetNode('101'),
      idempotencyKey: 'a key',
    };
    const posted = await Promise.all(
      Array.from({ length: 20 }, (_, n) => post(n % 2 === 0 ? server : other, '1', input)),
    );
    posted.push(await post(other, '1', input));
    expect(new Set(posted.map(({ tweetId }) => tweetId)).size).toBe(1);
    expect(posted[0]).toMatchObject({ content: 'once #only', hashtags: ['only'] });
    await server.writeServices.outbox.idle();
    await other.writeServices.outbox.idle();
    expect(await tweetCount('1')).toBe(before + 1);
    expect(
      await ask(server, '{ tweet(tweetId: "101") { replyCount replies { nodes { content } } } }'),
    ).toEqual({ tweet: { replyCount: 1, replies: { nodes: [{ content: 'once #only' }] } } });
  });

  test.each([
    ['content', { content: 'another' }],
    ['a target', { inReplyTo: tweetNode('100') }],
    ['a quote', { quotes: tweetNode('100') }],
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
    const input = { content: 'x', inReplyTo: tweetNode('999'), idempotencyKey: 'refused' };
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

  test('must be well-formed Unicode, because keys with other lone surrogates would be stored as the same', async () => {
    for (const idempotencyKey of ['\ud800', '\ud801', 'a\udc00', '\udc00\ud800'])
      expect(await refused({ content: 'x', idempotencyKey })).toEqual(['BAD_USER_INPUT']);
    expect(await refused({ content: 'x', idempotencyKey: '\ud83d\udca9' })).toEqual([]);
  });
});

describe('a text', () => {
  const FAMILY = '👨‍👩‍👧‍👦';
  test('may have 500 graphemes of any script, and 4,000 bytes', async () => {
    const longest = FAMILY.repeat(160);
    expect(Buffer.byteLength(longest)).toBe(4000);
    for (const content of ['𠀀'.repeat(500), 'é'.repeat(500), longest])
      expect(await post(server, '1', { content })).toMatchObject({ content });
    for (const content of [`${longest}x`, 'x'.repeat(501), `x${'\u0301'.repeat(20_000)}`])
      expect(await refused({ content })).toEqual(['BAD_USER_INPUT']);
  });

  test('may have eight marks on a letter', async () => {
    const marks = '\u0301\u0316\u0323\u0308';
    for (const content of [`Z${marks}${marks}a${marks}`, 'क्ष्म्य'])
      expect(await refused({ content })).toEqual([]);
    for (const content of [`Z${marks}${marks}\u0301`, `Z${marks}\u200D${marks}\u034F\u200C\u0316`])
      expect(await refused({ content })).toEqual(['BAD_USER_INPUT']);
  });

  test('has at most 30 hashtags and 30 mentions; what is more stays text', async () => {
    const content = Array.from({ length: 33 }, (_, n) => `#t${n} @u${n}`).join(' ');
    const firstThirty = (letter: string) => Array.from({ length: 30 }, (_, n) => `${letter}${n}`);
    expect(await post(server, '1', { content })).toMatchObject({
      content,
      hashtags: firstThirty('t'),
      mentions: firstThirty('u'),
    });
    const data = await ask(
      server,
      '{ a: hashtag(name: "t29") { name } b: hashtag(name: "t30") { name } searchTweets(words: ["t32", "u32"]) { nodes { content } } }',
    );
    expect(data).toEqual({ a: { name: 't29' }, b: null, searchTweets: { nodes: [{ content }] } });
  });

  test.each([
    ['en', 'en'],
    ['EN-gb', 'en'],
    ['en-a0000001', 'en'],
    ['iw', 'he'],
    ['qme', 'und'],
    ['xx', 'und'],
    ['zz-Latn', 'und'],
    ['a0000001', null],
    ['de-1996-1996', null],
  ])('in %s is in %s', async (given, language) => {
    const input = { content: 'x', language: given };
    if (language === null) expect(await refused(input)).toEqual(['BAD_USER_INPUT']);
    else expect(await post(server, '1', input)).toMatchObject({ language });
  });

  test('of the longest kind stands whole in every list', async () => {
    const content = `${FAMILY.repeat(159)}x`;
    const target = await post(server, '2', { content: 'target' });
    await post(server, '2', { content, inReplyTo: target.id });
    await server.writeServices.outbox.idle();
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

  test.each([
    '',
    ' ',
    '\n\t ',
    '\u00a0\u2003',
    '\u3164',
    '\uFFA0 \u115F',
    '\u2800\u2800',
    '\u0301',
    'a\ud800',
    '\udc00b',
    '\udc00\ud800',
  ])('is refused that is blank or no Unicode: %j', async (content) => {
    expect(await refused({ content })).toEqual(['BAD_USER_INPUT']);
  });

  test('is kept as given', async () => {
    const content = ' <b>&amp; "quoted"\r\n\t {"json": 1} \u202e İß ';
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
    expect(await post(server, '1', { content, language: 'EN-gb' })).toMatchObject({ language: 'en' });
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

test('sharing answers with the original and the share, which is the same as long as it is there', async () => {
  const original = await post(server, '2', { content: 'shared twice' });
  const source =
    'mutation ($id: ID!) { shareTweet(id: $id) { tweet { id shareCount } share { id author { userId } sharedTweet { id } } } }';
  const share = async () =>
    ((await server.query(source, { id: original.id }, '4')).data as { shareTweet: { share: { id: string } } })
      .shareTweet;
  const first = await share();
  expect(first).toEqual({
    tweet: { id: original.id, shareCount: 1 },
    share: { id: first.share.id, author: { userId: '4' }, sharedTweet: { id: original.id } },
  });
  expect(await ask(server, '{ user(username: "user4") { tweets(first: 1) { nodes { id } } } }')).toEqual({
    user: { tweets: { nodes: [{ id: first.share.id }] } },
  });
  expect(await share()).toEqual(first);
  await act(server, '4', 'unshareTweet', { id: original.id });
  const second = await share();
  expect(second.share.id).not.toBe(first.share.id);
  await act(server, '4', 'unshareTweet', { id: original.id });
});

describe('a reply or quote', () => {
  test.each(['inReplyTo', 'quotes'])('of what is not there is refused: %s', async (field) => {
    const gone = await post(server, '2', { content: 'gone' });
    expect(await remove('2', gone.id)).toEqual([]);
    for (const id of [tweetNode('999'), gone.id, userNode('1'), '', 'x', '\ud800'])
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
