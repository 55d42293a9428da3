import { tweetsGeo } from '../../src/import/formats/tweets-csv';
import { twitter } from '../../src/import/formats/twitter';
import { onlyTweet, readAll, recordsIn, rejectsIn, tweetsIn } from './read';

const ada = { id: 42, id_str: '42', screen_name: 'ada', name: 'Ada', description: 'computes' };
const bob = { id: 7, id_str: '7', screen_name: 'bob', name: '' };
const date = 'Wed Oct 10 20:19:24 +0000 2018';
const original = {
  created_at: date,
  id_str: '1050118621198921728',
  text: 'To be #shared',
  user: ada,
  lang: 'en',
};

describe("Twitter's tweet objects", () => {
  test('give a profile and a tweet', async () => {
    const line = JSON.stringify({
      ...original,
      text: 'short…',
      extended_tweet: { full_text: 'Long @bob' },
      in_reply_to_status_id_str: '1050118621198921000',
      quoted_status_id_str: '1050118621198921001',
      coordinates: { type: 'Point', coordinates: [14.5, 35.9] },
      place: { country: 'Malta' },
      lang: 'iw',
      favorite_count: 0,
      retweet_count: 2,
      reply_count: 3,
    });
    expect(recordsIn(await readAll(twitter, `${line}\r\n`))).toEqual([
      { kind: 'user', userId: '42', username: 'ada', name: 'Ada', onTwitter: true, description: 'computes' },
      {
        kind: 'tweet',
        tweetId: '1050118621198921728',
        author: { userId: '42', username: 'ada' },
        content: 'Long @bob',
        createdAt: new Date('2018-10-10T20:19:24Z'),
        language: 'he',
        location: { latitude: 35.9, longitude: 14.5, country: 'Malta' },
        hashtags: [],
        mentions: ['bob'],
        inReplyToId: '1050118621198921000',
        quotedTweetId: '1050118621198921001',
        likeCount: 0,
        shareCount: 2,
        replyCount: 3,
        raw: line,
      },
    ]);
  });

  test('that share another give the original and its author too, each with its own source', async () => {
    const inner = `{ "id_str": "1050118621198921728", "created_at":"${date}",  "text": "one \\u00e9", "user":${JSON.stringify(ada)} }`;
    const line = `{"id_str":"1050118621198921900","created_at":"${date}","text":"RT","quoted_status_id_str":"5","retweeted_status":${inner},"user":${JSON.stringify(bob)}}`;
    const parsed = await readAll(twitter, line);
    expect(recordsIn(parsed).map((record) => record.kind)).toEqual(['user', 'tweet', 'user', 'tweet']);
    const [shared, share] = tweetsIn(parsed);
    expect(shared).toMatchObject({ tweetId: '1050118621198921728', content: 'one é', raw: inner });
    expect(share).toMatchObject({ author: { userId: '7' }, sharedTweetId: '1050118621198921728', raw: line });
    expect(share?.quotedTweetId).toBeUndefined();
  });

  test('are kept where only the tweet embedded in them is bad', async () => {
    const line = { ...original, quoted_status_id_str: '5', quoted_status: { id_str: '5', user: bob } };
    const parsed = await readAll(twitter, JSON.stringify(line));
    expect(onlyTweet(parsed).quotedTweetId).toBe('5');
    expect(rejectsIn(parsed)).toEqual([
      {
        line: 1,
        rejected: 'no text',
        source: '{"id_str":"5","user":{"id":7,"id_str":"7","screen_name":"bob","name":""}}',
      },
    ]);
  });

  test('keep ids that are numbers to the digit', async () => {
    const line = `{"id":1050118621198921729,"text":"x","in_reply_to_status_id":1050118621198921727,"user":{"id":9007199254740993,"screen_name":"ada"}}`;
    expect(onlyTweet(await readAll(twitter, line))).toMatchObject({
      tweetId: '1050118621198921729',
      author: { userId: '9007199254740993' },
      inReplyToId: '1050118621198921727',
      createdAt: new Date('2018-10-10T20:19:24.211Z'),
    });
  });

  test('are rejected if a text has a lone surrogate, which would be stored as another character', async () => {
    const line =
      '{"id":5,"created_at":"2018-10-10T20:19:24Z","text":"a\\ud83d!","user":{"screen_name":"ada"}}';
    expect(rejectsIn(await readAll(twitter, line))).toMatchObject([
      { rejected: 'the text must be well-formed Unicode, but holds a lone surrogate', source: line },
    ]);
  });

  test.each([
    ['{"text":', 'no JSON object'],
    ['[1]x', 'no JSON object'],
    ['{"delete":{"status":{"id":1}}}', 'no tweet id'],
    [
      '{"id":1.5,"text":"x","user":{"id":1}}',
      'tweet id must be a whole number from 1 to 2^63-1, but got: 1.5',
    ],
    ['{"id":1,"text":"x","user":{}}', 'no author'],
    ['{"id":1,"text":"x","user":{"id":1}}', 'no time, and the id contains none'],
    ['{"id":1,"user":{"id":1}}', 'no text'],
    [
      '{"id":1050118621198921729,"created_at":"2018-W41-3","text":"x","user":{"id":1}}',
      'created_at must be a time such as 2019-05-01T10:00:00Z, but got: 2018-W41-3',
    ],
    [
      '{"id":1050118621198921729,"created_at":true,"text":"x","user":{"id":1}}',
      'created_at must be a time such as 2019-05-01T10:00:00Z, but got: true',
    ],
    [
      '{"id":1050118621198921729,"text":"x","user":{"id":1,"screen_name":"ada","created_at":"May"}}',
      'user.created_at must be a time such as 2019-05-01T10:00:00Z, but got: May',
    ],
  ])('are rejected: %s', async (line, reason) => {
    const good = JSON.stringify(original);
    const parsed = await readAll(twitter, `${good}\n\n${line}\n${good}\n`);
    expect(rejectsIn(parsed)).toEqual([{ line: 3, rejected: reason, source: line }]);
    expect(tweetsIn(parsed)).toHaveLength(2);
  });

  test('read the same from an array as from lines, each with its exact slice of the file', async () => {
    const sources = [original, { ...original, id_str: '1050118621198921999', user: bob }].map((tweet) =>
      JSON.stringify(tweet, null, 2),
    );
    const array = `\uFEFF [\n${sources.join(',\n')}\n]\n`;
    const parsed = await readAll(twitter, array, 50);
    expect(tweetsIn(parsed).map((tweet) => tweet.raw)).toEqual(sources);
    expect(rejectsIn(parsed)).toEqual([]);
  });
});

describe('a place', () => {
  const point = (coordinates: unknown) => ({ type: 'Point', coordinates });
  test.each([
    ['numbers', { coordinates: point([13.4, 52.5]) }, true],
    ['texts', { coordinates: point(['13.4', ' 52.5 ']) }, true],
    ['a pair without a point', { coordinates: ['13.4', '52.5'] }, true],
    ['the older member', { geo: point(['52.5', '13.4']) }, true],
    [
      'the older member, as the other cannot be read',
      { coordinates: point(['x', 1]), geo: point([52.5, 13.4]) },
      true,
    ],
    ['nothing', { coordinates: null, geo: null }, undefined],
    ['no numbers', { geo: point([null, null]) }, undefined],
    ['an empty list', { coordinates: point([]) }, undefined],
    ['missing texts', { coordinates: point(['nan', '']) }, undefined],
    ['one number', { coordinates: point([13.4]) }, 'coordinates'],
    ['no list', { coordinates: {} }, 'coordinates'],
    ['a text', { coordinates: 'Berlin' }, 'coordinates'],
    ['numbers out of range', { coordinates: point([181, 1]) }, 'coordinates'],
    ['the older member out of range', { geo: point([91, 1]) }, 'geo'],
  ])('is given by %s', async (_, members, expected) => {
    const parsed = await readAll(twitter, JSON.stringify({ ...original, ...members }));
    const [row] = parsed;
    const dropped = row !== undefined && 'dropped' in row ? row.dropped.join() : undefined;
    const { location } = onlyTweet(parsed);
    expect(dropped ?? (location && location.latitude === 52.5 && location.longitude === 13.4)).toBe(expected);
  });
});

describe('values of another type', () => {
  test.each([
    [{ created_at: 1556704800 }, { createdAt: new Date('2019-05-01T10:00:00Z') }],
    [{ created_at: '1556704800250' }, { createdAt: new Date('2019-05-01T10:00:00.250Z') }],
    [
      { created_at: null, timestamp_ms: '1556704800250' },
      { createdAt: new Date('2019-05-01T10:00:00.250Z') },
    ],
    [{ id_str: '', id: 1050118621198921 }, { tweetId: '1050118621198921' }],
    [{ id_str: 1050118621198921 }, { tweetId: '1050118621198921' }],
    [
      { favorite_count: '12', retweet_count: 3.0, reply_count: '1e3' },
      { likeCount: 12, shareCount: 3, replyCount: 1000 },
    ],
    [{ in_reply_to_status_id: '[5]', quoted_status_id: 'null' }, { inReplyToId: '5' }],
    [{ lang: null }, { language: 'und' }],
  ])('are read: %j', async (members, expected) => {
    const parsed = await readAll(twitter, JSON.stringify({ ...original, text: '…', ...members }));
    expect(onlyTweet(parsed)).toMatchObject(expected);
    expect(parsed[0]).not.toHaveProperty('dropped');
  });

  test.each([
    [{ favorite_count: -1 }, 'favorite_count'],
    [{ favorite_count: [1] }, 'favorite_count'],
    [{ in_reply_to_status_id: 1.6e30 }, 'in_reply_to_status_id'],
    [{ quoted_status_id_str: 'x' }, 'quoted_status_id'],
    [{ lang: 'English (UK)' }, 'language'],
  ])('cost the value if they cannot be read: %j', async (members, column) => {
    const parsed = await readAll(twitter, JSON.stringify({ ...original, ...members }));
    expect(tweetsIn(parsed)).toHaveLength(1);
    expect(parsed[0]).toMatchObject({ dropped: [column] });
  });

  test('give the texts of tweets, names and descriptions once decoded, and the record as it was', async () => {
    const line = JSON.stringify({
      ...original,
      text: 'Q&amp;A: 5 &gt; 3 &lt;3 &amp;lt; R&D',
      user: { ...ada, name: 'A &amp; B', description: '&lt;b&gt;' },
    });
    const [profile, tweet] = recordsIn(await readAll(twitter, line));
    expect(profile).toMatchObject({ name: 'A & B', description: '<b>' });
    expect(tweet).toMatchObject({ content: 'Q&A: 5 > 3 <3 &lt; R&D', raw: line });
  });
});

describe('the text of a tweet', () => {
  test.each([
    [{ text: 'whole' }, 'whole', undefined],
    [
      { text: 'cut…', truncated: true, extended_tweet: { full_text: 'cut no more' } },
      'cut no more',
      undefined,
    ],
    [{ text: 'cut…', full_text: 'cut no more' }, 'cut no more', undefined],
    [{ text: 'cut somewhere', truncated: true }, 'cut somewhere', 'cut'],
    [{ text: 'cut… https://t.co/AbC' }, 'cut… https://t.co/AbC', 'cut'],
    [{ text: 'cut …  ' }, 'cut …  ', 'cut'],
    [{ text: 'cut…" https://t.co/AbC https://t.co/AbD' }, 'cut…" https://t.co/AbC https://t.co/AbD', 'cut'],
    [{ text: 'not… cut' }, 'not… cut', undefined],
    [{ text: 'typed by hand...' }, 'typed by hand...', undefined],
  ])('of %j is whole or cut', async (members, content, completeness) => {
    const tweet = onlyTweet(await readAll(twitter, JSON.stringify({ ...original, ...members })));
    expect([tweet.content, tweet.completeness]).toEqual([content, completeness]);
  });

  test('that another one embeds is a copy', async () => {
    const line = JSON.stringify({ ...original, id_str: '1050118621198921900', retweeted_status: original });
    expect(tweetsIn(await readAll(twitter, line)).map((tweet) => tweet.completeness)).toEqual([
      'copy',
      undefined,
    ]);
  });
});

const v2 = {
  id: '1050118621198921728',
  author_id: '42',
  text: 'To be #shared',
  created_at: '2018-10-10T20:19:24.000Z',
  lang: 'en',
  public_metrics: { retweet_count: 2, reply_count: 3, like_count: 4, quote_count: 0 },
  geo: { place_id: 'x', coordinates: { type: 'Point', coordinates: [14.5, 35.9] } },
  referenced_tweets: [
    { type: 'replied_to', id: '1050118621198921000' },
    { type: 'quoted', id: '1050118621198921001' },
  ],
};

describe("Twitter's API v2", () => {
  const user = { id: '42', username: 'ada', name: 'A &amp; B', created_at: '2012-01-02T03:04:05.000Z' };
  const answer = {
    data: [v2],
    includes: {
      media: [{ id: '3_1', url: 'x' }],
      users: [user],
      tweets: [{ ...v2, id: '1050118621198921000' }],
    },
    meta: { result_count: 1, next_token: 'b26v89c19zqg8o3f' },
  };
  const expected = [
    {
      kind: 'tweet',
      tweetId: '1050118621198921728',
      author: { userId: '42' },
      content: 'To be #shared',
      createdAt: new Date('2018-10-10T20:19:24Z'),
      language: 'en',
      location: { latitude: 35.9, longitude: 14.5 },
      inReplyToId: '1050118621198921000',
      quotedTweetId: '1050118621198921001',
      likeCount: 4,
      shareCount: 2,
      replyCount: 3,
    },
    {
      kind: 'user',
      userId: '42',
      username: 'ada',
      name: 'A & B',
      createdAt: new Date('2012-01-02T03:04:05Z'),
    },
    { kind: 'tweet', tweetId: '1050118621198921000', completeness: 'copy' },
  ];

  test.each([
    ['an answer in one line', JSON.stringify(answer)],
    ['a printed answer', JSON.stringify(answer, null, 2)],
    ['answers in lines', `${JSON.stringify({ meta: { result_count: 0 } })}\n${JSON.stringify(answer)}\n`],
    [
      'a line of a stream',
      JSON.stringify({ data: v2, includes: answer.includes, matching_rules: [{ id: '1' }] }),
    ],
    ['an answer that ends with its data', JSON.stringify({ meta: {}, includes: {}, data: [v2, user] })],
    ['tweets in lines', `${JSON.stringify(v2)}\n${JSON.stringify(user)}`],
    ['an array', JSON.stringify([v2, user], null, 1)],
  ])('is read: %s', async (_, json) => {
    for (const size of [1 << 16, 7]) {
      const parsed = await readAll(twitter, json, size);
      expect(rejectsIn(parsed)).toEqual([]);
      expect(recordsIn(parsed)).toMatchObject(expected.slice(0, recordsIn(parsed).length));
      expect(recordsIn(parsed).length).toBeGreaterThan(1);
      const raw = tweetsIn(parsed)[0]?.raw ?? '';
      expect([JSON.parse(raw), json.includes(raw)]).toEqual([v2, true]);
    }
  });

  test('has the tweet and its author in one object where a tool puts them so', async () => {
    const flattened = {
      ...v2,
      author: user,
      referenced_tweets: [
        { type: 'retweeted', ...v2, id: '1050118621198921000', referenced_tweets: undefined },
      ],
    };
    const records = recordsIn(await readAll(twitter, JSON.stringify(flattened)));
    expect(records).toMatchObject([
      { tweetId: '1050118621198921000', completeness: 'copy' },
      { kind: 'user', username: 'ada' },
      {
        tweetId: '1050118621198921728',
        author: { userId: '42', username: 'ada' },
        sharedTweetId: '1050118621198921000',
      },
    ]);
  });

  test('streams an answer of many megabytes, which is one line', async () => {
    const tweets = Array.from({ length: 20_000 }, (_, n) => ({
      ...v2,
      id: String(1050118621198921728n + BigInt(n)),
    }));
    const parsed = await readAll(twitter, JSON.stringify({ data: tweets, meta: {} }));
    expect(tweetsIn(parsed)).toHaveLength(20_000);
    expect(rejectsIn(parsed)).toEqual([]);
  });
});

describe('a wrapper', () => {
  const two = [original, { ...original, id_str: '1050118621198921999' }];
  const printed = two.map((tweet) => JSON.stringify(tweet, null, 2));
  test.each([
    [
      'of an archive',
      `window.YTD.tweets.part0 = [ ${two.map((tweet) => JSON.stringify({ tweet }, null, 2)).join()} ]`,
    ],
    ['of an older archive', `window.YTD.tweet.part12 = ${JSON.stringify(two.map((tweet) => ({ tweet })))};`],
    ['of the oldest archive', `Grailbird.data.tweets_2013_01 = \n${JSON.stringify(two)}`],
    ['of a search', JSON.stringify({ statuses: two, search_metadata: { count: 2 } })],
    [
      'of a search that begins otherwise',
      JSON.stringify({ search_metadata: { count: 2 }, statuses: two }, null, 1),
    ],
    ['of the premium search', JSON.stringify({ results: two, next: 'x', requestParameters: {} })],
    ['in lines', two.map((tweet) => JSON.stringify({ tweet })).join('\r')],
    ['of nothing: printed objects', printed.join('\n')],
    ['of nothing: printed objects with commas', printed.join(',\r\n')],
    ['of nothing: arrays', two.map((tweet) => JSON.stringify([tweet])).join('\n')],
  ])('is read: %s', async (_, json) => {
    for (const size of [1 << 16, 5]) {
      const parsed = await readAll(twitter, json, size);
      expect(rejectsIn(parsed)).toEqual([]);
      expect(tweetsIn(parsed).map(({ tweetId }) => tweetId)).toEqual(two.map(({ id_str }) => id_str));
      for (const { raw } of tweetsIn(parsed))
        expect(JSON.parse(raw)).toMatchObject({ text: 'To be #shared' });
    }
  });
});

describe('the geotagged lines', () => {
  test('name their author by screen name only', async () => {
    const line = JSON.stringify({
      id_str: '735000000000000123',
      created_at: 'Mon May 23 10:00:00 +0000 2016',
      text: 'The weather in the mountains has been lovely all week',
      user: { name: 'Ada', screen_name: 'ada' },
      coordinates: { coordinates: [167.9, -45.4] },
    });
    const parsed = await readAll(tweetsGeo, line);
    expect(recordsIn(parsed)[0]).toEqual({ kind: 'user', username: 'ada', name: 'Ada', onTwitter: true });
    expect(onlyTweet(parsed)).toMatchObject({
      author: { username: 'ada' },
      language: 'en',
      location: { latitude: -45.4, longitude: 167.9 },
    });
  });
});
