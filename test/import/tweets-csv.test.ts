import { flatCsv } from '../../src/import/formats/flat-csv';
import { tweetsCsv } from '../../src/import/formats/tweets-csv';
import { snowflakeTime } from '../../src/kit/base/snowflake';
import { onlyTweet, readAll, rejectsIn, tweetsIn } from './read';

const columns =
  'replied_to,like_count,tweet_id,created_at,reply_count,retweet_count,retweeted,quoted,text,author_id';

describe('the CSV of tweets with counts', () => {
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
    expect(onlyTweet(await readAll(tweetsCsv, `${columns}\n${row}`)).sharedTweetId).toBe(
      '1600000000000000001',
    );
  });

  test.each([
    ['[],0,,2022-12-18T14:03:56Z,0,0,[],[],hm,77', 'no tweet id'],
    ['[],0,16,2022-12-18T14:03:56Z,0,0,[],[],hm,', 'no author_id'],
    ['[],0,16,yesterday,0,0,[],[],hm,77', 'the time cannot be read, and the id contains none'],
    ['[],0,16,2022-02-30T14:03:56Z,0,0,[],[],hm,77', 'the time cannot be read, and the id contains none'],
    [
      '[],-1,16,2022-12-18,0,0,[],[],hm,77',
      'like_count must be a whole number from 0 to 2147483647, but got: -1',
    ],
    ['[x],0,16,2022-12-18,0,0,[],[],hm,77', 'replied_to must be a list of ids, but got: [x]'],
    [`[],0,16,2022-12-18,0,0,[],[],${'é'.repeat(10_001)},77`, 'the text must be at most 10000 characters'],
  ])('rejects %.60s', async (row, reason) => {
    expect(
      rejectsIn(await readAll(tweetsCsv, `${columns}\n${row}\n`)).map(({ rejected }) => rejected),
    ).toEqual([reason]);
  });

  test('counts the characters of a text, not its UTF-16 units', async () => {
    const text = '🐦'.repeat(10_000);
    const tweet = onlyTweet(
      await readAll(tweetsCsv, `${columns}\n[],0,16,2022-12-18,0,0,[],[],${text},77\n`),
    );
    expect(tweet.content).toBe(text);
  });
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
    ['ada,x,,31/02/2017 19:52,1,en,,,,', 'the time cannot be read, and the id contains none'],
    [
      'ada,x,,01/13/2017 19:52,5E+17,en,,,,',
      'date_time cannot be read, and a spreadsheet has rounded the id',
    ],
    ['ada,x,,12/01/2009 19:52,5E+17,en,,,,', 'no id can be derived for a time before November 2010'],
    ['ada,x,,12/01/2017 19:52,1,en,91,0,,', 'latitude must be -90 … 90, but got: 91'],
    ['ada,x,,12/01/2017 19:52,1,en,9,,,', 'longitude must be -180 … 180, but got: '],
  ])('rejects %s', async (row, reason) => {
    expect(
      rejectsIn(await readAll(flatCsv, `${flatColumns}\n${row}\n`)).map(({ rejected }) => rejected),
    ).toEqual([reason]);
  });
});
