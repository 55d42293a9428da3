import { twitter } from '../../src/import/formats/twitter';
import type { Parsed } from '../../src/import/records/record';
import { chunked, onlyTweet, readAll, recordsIn, rejectsIn, tweetsIn } from './read';

// A float, which is what a number of JSON becomes, has the exact digits of ids up to 2^53 only.

const time = '"created_at":"2022-12-06T05:31:41Z"';

describe('ids that are numbers are kept to the digit', () => {
  test('in lists and objects of links', async () => {
    const line =
      '{"id":1050118621198921729,"text":"x","in_reply_to_status_id":[1050118621198921727],"quoted_status_id":{"id":1050118621198921725},"user":{"id":1}}';
    expect(onlyTweet(await readAll(twitter, line))).toMatchObject({
      inReplyToId: '1050118621198921727',
      quotedTweetId: '1050118621198921725',
    });
  });

  test('in tweets, authors, users and references of API v2', async () => {
    const line = `{"id":1600000000000000002,"author_id":1234567890123456789,"text":"hello",${time},"referenced_tweets":[{"type":"quoted","id":1599999999999999999},{"type":"replied_to","id":1600000000000000001}]}`;
    const flattened = `{"id":1600000000000000003,"text":"hello","public_metrics":{},"author":{"id":1234567890123456787,"username":"ada","name":"Ada"},${time}}`;
    const profile = '{"id":1234567890123456785,"username":"bo","name":"Bo"}';
    expect(recordsIn(await readAll(twitter, [line, flattened, profile].join('\n')))).toMatchObject([
      {
        tweetId: '1600000000000000002',
        author: { userId: '1234567890123456789' },
        quotedTweetId: '1599999999999999999',
        inReplyToId: '1600000000000000001',
      },
      { kind: 'user', userId: '1234567890123456787' },
      { tweetId: '1600000000000000003', author: { userId: '1234567890123456787', username: 'ada' } },
      { kind: 'user', userId: '1234567890123456785' },
    ]);
    const answer = `{"data":[${line}],"includes":{"users":[${profile}]}}`;
    expect(recordsIn(await readAll(twitter, answer))).toMatchObject([
      { tweetId: '1600000000000000002' },
      { kind: 'user', userId: '1234567890123456785' },
    ]);
  });

  test.each([
    ['{"account":{"accountId":1234567890123456789,"username":"ada"}}', { userId: '1234567890123456789' }],
    ['{"follower":{"accountId":1234567890123456787}}', { follower: { userId: '1234567890123456787' } }],
    ['{"following":{"accountId":1234567890123456787}}', { followee: { userId: '1234567890123456787' } }],
  ])('in an archive: %s', async (source, expected) => {
    const parsed: Parsed[] = [];
    const context = { owner: () => Promise.resolve({ userId: '7' }) };
    for await (const rows of twitter.read(chunked(source, 1 << 16), context)) parsed.push(...rows);
    expect(recordsIn(parsed)).toMatchObject([expected]);
  });
});

test('ids that were rounded before are refused, and whole numbers up to 2^53 are read', async () => {
  const line = (id: string, author: string) => `{"id":${id},"author_id":${author},"text":"x",${time}}`;
  const lines = [line('1.6e18', '5'), line('5', '1234567890123456789.0'), line('7.0', '8.0')];
  const parsed = await readAll(twitter, lines.join('\n'));
  expect(rejectsIn(parsed)).toMatchObject([
    { line: 1, rejected: expect.stringContaining('tweet id must be a whole number') as string },
    { line: 2, rejected: expect.stringContaining('a float has rounded it') as string },
  ]);
  expect(tweetsIn(parsed)).toMatchObject([{ tweetId: '7', author: { userId: '8' } }]);
});
