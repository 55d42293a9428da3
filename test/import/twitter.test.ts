import { tweetsGeo } from '../../src/import/formats/tweets-geo';
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

  test('have lone surrogates replaced in what is stored as text, and left as escapes in the source', async () => {
    const line =
      '{"id":5,"created_at":"2018-10-10T20:19:24Z","text":"a\\ud83d!","user":{"screen_name":"ada"}}';
    expect(onlyTweet(await readAll(twitter, line))).toMatchObject({ content: 'a\uFFFD!', raw: line });
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
