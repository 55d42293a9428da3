import { flatCsv } from '../../src/import/formats/flat-csv';
import { tweetsCsv } from '../../src/import/formats/tweets-csv';
import { twintCsv } from '../../src/import/formats/twint-csv';
import { snowflakeTime } from '../../src/kit/base/snowflake';
import { onlyTweet, readAll, recordsIn, rejectsIn, tweetsIn } from './read';

const columns =
  'replied_to,like_count,tweet_id,created_at,reply_count,retweet_count,retweeted,quoted,text,author_id';

test('gives all that a full row says', async () => {
  const row = `[1600000000000000001],5,1600000000000000002,2022-12-18T14:03:56.123456789+01:00,0,3,[],"[1600000000000000003, 4]","@ada Well,\n""yes"" #So",77`;
  const tweet = onlyTweet(await readAll(tweetsCsv, `${columns}\n${row}\n`));
  expect(tweet).toEqual({
    kind: 'tweet',
    tweetId: '1600000000000000002',
    author: { userId: '77' },
    content: '@ada Well,\n"yes" #So',
    createdAt: new Date('2022-12-18T13:03:56.123Z'),
    language: expect.any(String) as string,
    hashtags: ['So'],
    mentions: ['ada'],
    inReplyToId: '1600000000000000001',
    quotedTweetId: '1600000000000000003',
    likeCount: 5,
    shareCount: 3,
    replyCount: 0,
    raw: tweet.raw,
  });
  expect(JSON.parse(tweet.raw)).toMatchObject({ tweet_id: '1600000000000000002', retweeted: '[]' });
});

test('leaves out what a row does not say', async () => {
  const tweet = onlyTweet(await readAll(tweetsCsv, `${columns}\n,,1600000000000000002,,,,,,hm,77\n`));
  expect(Object.keys(tweet).sort()).toEqual([
    'author',
    'content',
    'createdAt',
    'hashtags',
    'kind',
    'language',
    'mentions',
    'raw',
    'tweetId',
  ]);
  expect(tweet.createdAt).toEqual(snowflakeTime('1600000000000000002'));
});

test('takes a retweet as a share', async () => {
  const row = '[],0,1600000000000000002,2022-12-18T14:03:56Z,0,9,[1600000000000000001],[],RT @ada: hm,77';
  expect(onlyTweet(await readAll(tweetsCsv, `${columns}\n${row}`)).sharedTweetId).toBe('1600000000000000001');
});

test.each([
  ['[],0,,2022-12-18T14:03:56Z,0,0,[],[],hm,77', 'no tweet id'],
  ['[],0,16,2022-12-18T14:03:56Z,0,0,[],[],hm,', 'no author_id'],
  [
    '[],0,1600000000000000002,yesterday,0,0,[],[],hm,77',
    'created_at must be a time such as 2019-05-01T10:00:00Z, but got: yesterday',
  ],
  [
    '[],0,1600000000000000002,2022-02-30T14:03:56Z,0,0,[],[],hm,77',
    'created_at must be a time such as 2019-05-01T10:00:00Z, but got: 2022-02-30T14:03:56Z',
  ],
  ['[],0,16,,0,0,[],[],hm,77', 'no time, and the id contains none'],
  [
    '[],0,109371234567890123,NaN,0,0,[],[],hm,77',
    'no time, and the id may be one of Mastodon, not of Twitter: 109371234567890123',
  ],
  [
    '[],0,1.6E+18,2022-12-18,0,0,[],[],hm,77',
    'tweet id must be a whole number from 1 to 2^63-1, but got: 1.6E+18. A spreadsheet or a float has rounded it',
  ],
  [`[],0,16,2022-12-18,0,0,[],[],${'é'.repeat(10_001)},77`, 'the text must be at most 10000 characters'],
])('rejects %.60s', async (row, reason) => {
  expect(rejectsIn(await readAll(tweetsCsv, `${columns}\n${row}\n`)).map(({ rejected }) => rejected)).toEqual(
    [reason],
  );
});

const none = ['', '[]', '[None]', "['']", '[nan]', 'nan', 'NaN', 'None', 'null', '()', '<NA>', '\\N', '#N/A'];
const one = [
  ...['1600000000000000001', '[1600000000000000001]', "['1600000000000000001']"],
  ...[
    '["1600000000000000001"]',
    '"1600000000000000001"',
    "'1600000000000000001'",
    '(1600000000000000001,)',
    '“1600000000000000001”',
    "[{'id': '1600000000000000001'}]",
    '[{"type": "quoted", "id": 1600000000000000001}]',
  ],
  ...['[1600000000000000001 1600000000000000009]', '[1600000000000000001L]', '{1600000000000000001}'],
  'https://twitter.com/ada/status/1600000000000000001?s=20',
];
const unread = [
  '[x]',
  '-1',
  '0',
  'soon',
  '1.6E+18',
  '1600000000000000001.5',
  '1600000000000000001.0',
  '[1600000000000000001.]',
  '1,234,567',
  '[{"id": 1.5}]',
  'https://x.com/ada',
];
const linked = async (cell: string) => {
  const quoted = `"${cell.replaceAll('"', '""')}"`;
  return readAll(tweetsCsv, `${columns}\n${quoted},0,1600000000000000002,,0,0,,,hm,77\n`);
};

test.each(none)('takes the link %s as none', async (cell) => {
  const parsed = await linked(cell);
  expect(onlyTweet(parsed).inReplyToId).toBeUndefined();
  expect(parsed[0]).not.toHaveProperty('dropped');
});

test.each(one)('reads the link %s', async (cell) => {
  expect(onlyTweet(await linked(cell)).inReplyToId).toBe('1600000000000000001');
});

test('reads a link that a float holds exactly', async () => {
  expect(onlyTweet(await linked('[9007199254740991.0]')).inReplyToId).toBe('9007199254740991');
});

test.each(unread)('drops the link %s, not the tweet', async (cell) => {
  const parsed = await linked(cell);
  expect(onlyTweet(parsed).inReplyToId).toBeUndefined();
  expect(parsed[0]).toMatchObject({ dropped: ['replied_to'] });
});

test.each([
  ['12', 12],
  [' 12.0 ', 12],
  ['1e3', 1000],
  ['1.5E+3', 1500],
  ['NaN', undefined],
  ['', undefined],
  ['-1', 'dropped'],
  ['1.5', 'dropped'],
  ['2147483648', 'dropped'],
  ['1,234', 'dropped'],
  ['many', 'dropped'],
])('reads the count %j as %p', async (cell, expected) => {
  const parsed = await readAll(tweetsCsv, `${columns}\n,"${cell}",1600000000000000002,,0,0,,,hm,77\n`);
  const isDropped = 'dropped' in (parsed[0] ?? {});
  expect(isDropped ? 'dropped' : onlyTweet(parsed).likeCount).toBe(expected);
});

test('decodes what Twitter escapes once, and keeps the row as it was', async () => {
  const tweet = onlyTweet(
    await readAll(
      tweetsCsv,
      `${columns}\n,0,1600000000000000002,,0,0,,,Q&amp;A &amp;lt; 5 &gt; 3 &quot; R&D,77\n`,
    ),
  );
  expect(tweet.content).toBe('Q&A &lt; 5 > 3 &quot; R&D');
  expect(JSON.parse(tweet.raw)).toMatchObject({ text: 'Q&amp;A &amp;lt; 5 &gt; 3 &quot; R&D' });
});

test('counts the characters of a text, not its UTF-16 units', async () => {
  const text = '🐦'.repeat(10_000);
  const tweet = onlyTweet(await readAll(tweetsCsv, `${columns}\n[],0,16,2022-12-18,0,0,[],[],${text},77\n`));
  expect(tweet.content).toBe(text);
});

const flatColumns =
  'author,content,country,date_time,id,language,latitude,longitude,number_of_likes,number_of_shares';

describe('the flat CSV', () => {
  test('gives all that a row says', async () => {
    const row = 'ada,Hello #World,Malta,02/01/2017 19:52,815987654321012345,en,35.9,14.5,12,3';
    const tweet = onlyTweet(await readAll(flatCsv, `${flatColumns}\n${row}\n`));
    expect(tweet).toMatchObject({
      tweetId: '815987654321012345',
      author: { username: 'ada' },
      createdAt: new Date('2017-01-02T19:52:00Z'),
      language: 'en',
      location: { latitude: 35.9, longitude: 14.5, country: 'Malta' },
      hashtags: ['World'],
      likeCount: 12,
      shareCount: 3,
    });
  });

  test('drops a country that is too long, not the tweet and its place', async () => {
    const row = `ada,hm,${'x'.repeat(2001)},02/01/2017 19:52,815987654321012345,en,35.9,14.5,12,3`;
    const parsed = await readAll(flatCsv, `${flatColumns}\n${row}\n`);
    expect(onlyTweet(parsed).location).toEqual({ latitude: 35.9, longitude: 14.5 });
    expect(parsed[0]).toMatchObject({ dropped: ['country'] });
  });

  test('derives an id where a spreadsheet spoilt it: one for each text, the same each time, within the minute', async () => {
    const row = (author: string, text: string): string =>
      `${author},${text},,12/01/2017 19:52,8.15988E+17,en,,,7900,1`;
    const csv = [
      flatColumns,
      row('ada', 'one'),
      row('ada', 'two'),
      row('bob', 'one'),
      row('ada', 'one'),
    ].join('\n');
    const ids = tweetsIn(await readAll(flatCsv, csv)).map((tweet) => tweet.tweetId);
    expect(ids).toEqual(tweetsIn(await readAll(flatCsv, csv)).map((tweet) => tweet.tweetId));
    expect(new Set(ids).size).toBe(3);
    expect(ids[3]).toBe(ids[0]);
    for (const id of ids) expect(snowflakeTime(id)?.toISOString().slice(0, 16)).toBe('2017-01-12T19:52');
  });

  test.each(['5,34896E+17', '5.34896e17', '534896000000000000.0'])('knows %s for a spoilt id', async (id) => {
    const tweet = onlyTweet(
      await readAll(flatCsv, `${flatColumns}\nada,x,,12/01/2017 19:52,"${id}",en,,,,\n`),
    );
    expect(snowflakeTime(tweet.tweetId)?.getUTCFullYear()).toBe(2017);
    expect(tweet.location).toBeUndefined();
  });

  test.each([
    [',x,,12/01/2017 19:52,1,en,,,,', 'no author'],
    ['ada,x,,12/01/2017 19:52,,en,,,,', 'no tweet id'],
    [
      'ada,x,,31/02/2017 19:52,1,en,,,,',
      'date_time must be a time such as 2019-05-01T10:00:00Z, but got: 31/02/2017 19:52',
    ],
    ['ada,x,,,5E+17,en,,,,', 'no date_time, and a spreadsheet has rounded the id'],
    ['ada,x,,12/01/2009 19:52,5E+17,en,,,,', 'no id can be derived for a time before November 2010'],
  ])('rejects %s', async (row, reason) => {
    expect(
      rejectsIn(await readAll(flatCsv, `${flatColumns}\n${row}\n`)).map(({ rejected }) => rejected),
    ).toEqual([reason]);
  });

  test.each([
    ['"35,9",14.5', { latitude: 35.9, longitude: 14.5 }],
    ['-.5,1e1', { latitude: -0.5, longitude: 10 }],
    ['nan,NaN', undefined],
    ['91,0', 'latitude'],
    ['9,', 'longitude'],
    ['north,east', 'latitude'],
  ])('reads the place %s as %p', async (cells, expected) => {
    const parsed = await readAll(flatCsv, `${flatColumns}\nada,x,,12/01/2017 19:52,1,en,${cells},,\n`);
    const [row] = parsed;
    const dropped = row !== undefined && 'dropped' in row ? row.dropped.join() : undefined;
    expect(dropped ?? onlyTweet(parsed).location).toEqual(expected);
  });
});

const twintColumns =
  'id,conversation_id,created_at,date,time,timezone,user_id,username,name,place,tweet,language,mentions,urls,photos,replies_count,retweets_count,likes_count,hashtags,cashtags,link,retweet,quote_url,video,thumbnail,near,geo,source,user_rt_id,user_rt,retweet_id,reply_to,retweet_date';

describe("Twint's CSV", () => {
  const row = (more: Readonly<Record<string, string>>) => {
    const cells = {
      ...{
        id: '1600000000000000002',
        conversation_id: '1600000000000000002',
        user_id: '7001',
        username: 'mira_k',
      },
      ...{
        created_at: '2022-12-06 05:31:41 UTC',
        name: 'Mira &amp; K',
        tweet: 'first &lt;3 #birds',
        language: 'en',
      },
      ...{
        replies_count: '0',
        retweets_count: '1',
        likes_count: '3',
        retweet: 'False',
        reply_to: '[]',
        ...more,
      },
    };
    const given: Readonly<Record<string, string>> = cells;
    return twintColumns
      .split(',')
      .map((name) => `"${(given[name] ?? '').replaceAll('"', '""')}"`)
      .join(',');
  };
  const read = (more: Readonly<Record<string, string>> = {}) =>
    readAll(twintCsv, `${twintColumns}\n${row(more)}\n`);

  test('gives a profile and a tweet for each row', async () => {
    expect(recordsIn(await read())).toMatchObject([
      { kind: 'user', userId: '7001', username: 'mira_k', name: 'Mira & K' },
      {
        kind: 'tweet',
        tweetId: '1600000000000000002',
        author: { userId: '7001', username: 'mira_k' },
        content: 'first <3 #birds',
        createdAt: new Date('2022-12-06T05:31:41Z'),
        hashtags: ['birds'],
        likeCount: 3,
        shareCount: 1,
        replyCount: 0,
      },
    ]);
  });

  test.each([
    [{ created_at: '1556704800000' }, '2019-05-01T10:00:00.000Z'],
    [
      { created_at: '2019-05-01 12:00:00 CEST', date: '2019-05-01', time: '12:00:00', timezone: '+0200' },
      '2019-05-01T10:00:00.000Z',
    ],
    [{ created_at: '', date: '2019-05-01', time: '12:00:00', timezone: '+0200' }, '2019-05-01T10:00:00.000Z'],
    [{ created_at: '', date: '', time: '', timezone: '' }, '2022-12-06T05:31:41.219Z'],
  ])('reads the time of %j', async (cells, time) => {
    expect(onlyTweet(await read(cells)).createdAt.toISOString()).toBe(time);
  });

  test('rejects a time in a zone that only has a name', async () => {
    const cells = {
      created_at: '2019-05-01 12:00:00 CEST',
      date: '2019-05-01',
      time: '12:00:00',
      timezone: 'CEST',
    };
    expect(rejectsIn(await read(cells)).map(({ rejected }) => rejected)).toEqual([
      'created_at must be a time such as 2019-05-01T10:00:00Z, but got: 2019-05-01 12:00:00 CEST',
    ]);
  });

  test('gives the place and the quote', async () => {
    const cells = {
      place: "{'type': 'Point', 'coordinates': [52.5, 13.4]}",
      quote_url: 'https://twitter.com/bo_l/status/1599990000000000001',
    };
    expect(onlyTweet(await read(cells))).toMatchObject({
      location: { latitude: 52.5, longitude: 13.4 },
      quotedTweetId: '1599990000000000001',
    });
  });

  test.each([
    ['0', '7002', 'retweet_id'],
    ['x', '7002', 'retweet_id'],
    ['1600000000000000010', 'x', 'user_rt_id'],
  ])('drops a retweet %s by %s, not the tweet', async (retweetId, userId, column) => {
    const [parsed] = await read({ retweet_id: retweetId, user_rt_id: userId });
    expect(parsed).toMatchObject({
      records: [{ kind: 'user' }, { tweetId: '1600000000000000002' }],
      dropped: [column],
    });
  });

  test('gives the original and the share of a retweet', async () => {
    const cells = {
      ...{ retweet: 'True', user_rt_id: '7002', user_rt: 'Bo L', retweet_id: '1600000000000000010' },
      ...{ retweet_date: '2022-12-07 00:00:00', tweet: '&amp;lt;' },
    };
    expect(tweetsIn(await read(cells))).toMatchObject([
      { tweetId: '1600000000000000002', content: '&lt;' },
      {
        tweetId: '1600000000000000010',
        author: { userId: '7002' },
        content: 'RT @mira_k: &lt;',
        sharedTweetId: '1600000000000000002',
        createdAt: new Date('2022-12-07'),
      },
    ]);
  });
});
