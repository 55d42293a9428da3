import { tweet } from '../support/harness';
import { act, ask, post } from '../support/mutations';
import { ALWAYS, server, tweetNode } from './people';

const WHOLE = '{ south: -90, west: -180, north: 90, east: 180 }';

describe('what is asked', () => {
  test.each([
    ['searchTweets(words: [])', /words must have 1 to 8 items, but got 0/],
    ['searchTweets(words: ["a", "…!"])', /must have a letter, digit or emoji .*, but got: "…!"/],
    ['searchTweets(words: ["https://example.com/x"])', /must have a letter, digit or emoji/],
    [
      `searchTweets(words: ["${'a b c '.repeat(5)}d e f g h i j k l m n o p q r s t u v w x y z 1 2 3 4 5 6 7"])`,
      /at most 32/,
    ],
    ['searchTweets(words: ["a"], first: 101)', /first must be 1 to 100/],
    [
      'searchTweets(words: ["a"], after: "x")',
      /A cursor must be one that this list returned for the same arguments/,
    ],
    [
      `tweetsInArea(area: { south: 2, west: 0, north: 1, east: 1 }, ${ALWAYS})`,
      /south must not be above north/,
    ],
    [
      `tweetsInArea(area: { south: -90.5, west: 0, north: 1, east: 1 }, ${ALWAYS})`,
      /south must be -90 to 90/,
    ],
    [`tweetsInArea(area: { south: 0, west: 0, north: 1, east: 181 }, ${ALWAYS})`, /east must be -180 to 180/],
    [
      `tweetsInArea(area: ${WHOLE}, from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z")`,
      /from must not be/,
    ],
  ])('%s is bad input', async (field, message) => {
    const { data, errors } = await server.query(`{ ${field} { nodes { tweetId } } }`);
    expect(data).toBeNull();
    expect(errors).toMatchObject([
      { message: expect.stringMatching(message) as string, extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });

  test.each([
    [`tweetHeatmap(area: ${WHOLE}, ${ALWAYS}, precision: 0) { count }`, /precision must be 1 to 8/],
    [`tweetHeatmap(area: ${WHOLE}, ${ALWAYS}, precision: 9) { count }`, /precision must be 1 to 8/],
    [`tweetHeatmap(area: ${WHOLE}, ${ALWAYS}, precision: 6) { count }`, /precision must be at most 2/],
    [`tweetFrequency(${ALWAYS}) { count }`, /at most 10000 points.*unit DAY fits/],
    [`tweetFrequency(from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z") { count }`, /unit HOUR fits/],
    [
      `tweetFrequency(from: "1900-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z", unit: DAY) { count }`,
      /shorter period/,
    ],
    [`tweetFrequency(${ALWAYS}, unit: DAY, language: "no language") { count }`, /BCP 47/],
    ['trendingHashtags(first: 0) { count }', /first must be 1 to 100/],
    ['trendingHashtags(first: 101) { count }', /first must be 1 to 100/],
  ])('%s is bad input, and the message says what would fit', async (field, message) => {
    const { data, errors } = await server.query(`{ ${field} }`);
    expect(data).toBeNull();
    expect(errors).toMatchObject([
      { message: expect.stringMatching(message) as string, extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });

  test('arguments that are refused are an error of the field, also where pageInfo may need reads of its own', async () => {
    const field = `tweetsInArea(area: { south: 2, west: 0, north: 1, east: 1 }, ${ALWAYS}, after: "x")`;
    const query = `{ ${field} { pageInfo { hasPreviousPage } } }`;
    const { status, body } = await server.post(JSON.stringify({ query }));
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({
      data: null,
      errors: [{ path: ['tweetsInArea'], extensions: { code: 'BAD_USER_INPUT' } }],
    });
  });

  test('hashtags that nobody used are null, and words that nobody wrote find nothing', async () => {
    const data = await ask(
      server,
      '{ a: hashtag(name: "nothing") { name } b: hashtag(name: "") { name } c: hashtag(name: "#!") { name } searchTweets(words: ["nothing", "at", "all"]) { nodes { id } pageInfo { hasNextPage } } }',
    );
    expect(data).toEqual({
      a: null,
      b: null,
      c: null,
      searchTweets: { nodes: [], pageInfo: { hasNextPage: false } },
    });
  });

  test('the raw record is what was imported, as long as its tweet is there', async () => {
    const records: Record<string, [json: string, raw: unknown]> = {
      '100': [
        '{"id": 735073339161620480, "n": 1.50, "deep": {"a": [null, true, -0.0928, 9007199254740993]}}',
        { id: '735073339161620480', n: 1.5, deep: { a: [null, true, -0.0928, '9007199254740993'] } },
      ],
      '101': ['{"a": 1, "a": 2, "__proto__": "x"}', JSON.parse('{"a": 2, "__proto__": "x"}')],
      '102': ['{"text": "\\ud83d\\ude00 \\u0000 é", "big": 1e400}', { text: '😀 \0 é', big: '1e400' }],
      '103': ['{"author": "1", "number_of_likes": "007"}', { author: '1', number_of_likes: '007' }],
    };
    await server.store(Object.entries(records).map(([tweetId, [raw]]) => tweet(tweetId, '1', 0, { raw })));
    for (const [tweetId, [, raw]] of Object.entries(records)) {
      const { body } = await server.post(
        JSON.stringify({ query: `{ tweet(tweetId: "${tweetId}") { raw } }` }),
      );
      expect(JSON.stringify((JSON.parse(body) as { data: unknown }).data)).toBe(
        JSON.stringify({ tweet: { raw } }),
      );
    }
    const made = await post(server, '1', { content: 'made here' });
    expect(await ask(server, `{ tweet(tweetId: "${made.tweetId}") { raw } }`)).toEqual({
      tweet: { raw: null },
    });
    await act(server, '1', 'deleteTweet', { id: tweetNode('100') });
    expect(await server.database.run('SELECT raw FROM raw_tweets WHERE tweet_id = 100')).toEqual([]);
  });
});
