import { findHashtags } from '../../src/write/tweet/text';
import { taskHandlers } from '../../src/app';
import { tweet } from '../support/harness';
import { act, ask, post } from '../support/mutations';
import { PEOPLE, server, tweetNode } from './people';
import { everywhere, nowhere, story } from './story';
import { taskRun } from '../support/task-run';

describe('what is posted, imported and deleted', () => {
  test('a tweet stands in every field at once, and leaves all of them at once when it is deleted', async () => {
    const { tweet: found, shown, word } = story(0);
    const first = await post(server, '1', found);
    const second = await post(server, '2', found);
    const both = { lists: everywhere(second.tweetId, first.tweetId), authors: 2, heat: 2 };
    expect(await shown()).toMatchObject(both);
    // Tweets are counted in their minutes after the answer.
    await server.writeServices.outbox.idle();
    expect(await shown()).toEqual({ ...both, frequency: 2 });
    for (const who of ['3', '4', '5']) await act(server, who, 'likeTweet', { id: second.id });
    await act(server, '2', 'deleteTweet', { id: second.id });
    const after = { lists: everywhere(first.tweetId), authors: 1, frequency: 1, heat: 1 };
    expect(await shown()).toEqual(after);
    await server.writeServices.outbox.idle();
    expect(await shown()).toEqual(after);
    await act(server, '2', 'deleteTweet', { id: second.id });
    await act(server, '1', 'deleteTweet', { id: first.id });
    await server.writeServices.outbox.idle();
    expect(await shown()).toEqual(nowhere);
    for (const table of ['hashtags_by_hour', 'tweets_by_area', 'tweets_by_minute']) {
      const rows = await server.database.run(`SELECT CAST(tweet_id AS text) AS id, created_at FROM ${table}`);
      // A removed use of a hashtag is a row that says so.
      const left = rows.filter((row) => Number(row['created_at']) !== 0).map((row) => String(row['id']));
      expect([table, word, left.filter((id) => [first.tweetId, second.tweetId].includes(id))]).toEqual([
        table,
        word,
        [],
      ]);
    }
  });

  test('what was imported leaves them, too, and does not come back by importing it again', async () => {
    const { tweet: found, shown, word } = story(1);
    const more = { createdAt: new Date(), hashtags: [word], likeCount: 5 };
    const record = tweet('10', '1', 0, { ...found, ...more });
    await server.store([record]);
    expect(await shown()).toEqual({ lists: everywhere('10'), authors: 1, frequency: 1, heat: 1 });
    await act(server, '1', 'deleteTweet', { id: tweetNode('10') });
    expect(await shown()).toEqual(nowhere);
    await server.writeServices.outbox.idle();
    await server.store([record]);
    expect(await shown()).toEqual(nowhere);
  });

  test('shares are found by words and hashtags, newest first; they are not liked, and make no trend', async () => {
    const { tweet: found, shown } = story(2);
    const original = await post(server, '1', found);
    await act(server, '2', 'shareTweet', { id: original.id });
    await server.writeServices.outbox.idle();
    const { lists, authors, frequency } = await shown();
    expect(lists.map((list) => list.length)).toEqual([2, 1, 2, 1, 1]);
    expect({ authors, frequency }).toEqual({ authors: 1, frequency: 2 });
    await act(server, '1', 'deleteTweet', { id: original.id });
    expect((await shown()).lists).toEqual(everywhere());
    await server.writeServices.outbox.idle();
    expect(await shown()).toEqual(nowhere);
  });

  test('posting twice with one key, and being finished twice, counts once', async () => {
    const { tweet: found, shown } = story(3);
    const posted = await post(server, '1', { ...found, idempotencyKey: 'k' });
    expect(await post(server, '1', { ...found, idempotencyKey: 'k' })).toEqual(posted);
    const handlers = taskHandlers(server.writeServices);
    await server.writeServices.outbox.idle();
    for (let times = 0; times < 2; times++) await handlers['post']?.({ tweetId: posted.tweetId }, taskRun());
    expect(await shown()).toEqual({ lists: everywhere(posted.tweetId), authors: 1, frequency: 1, heat: 1 });
  });

  test('importing again with other words, place, language and time moves a tweet', async () => {
    const { tweet: found, shown, word } = story(4);
    await server.store([tweet('11', '1', 0, { ...found, hashtags: [word], likeCount: 9 })]);
    expect(await shown()).toMatchObject({ lists: everywhere('11'), frequency: 1, heat: 1 });
    const lost = { content: 'Lost #lost', hashtags: ['lost'], language: 'sv', likeCount: 9 };
    await server.store([tweet('11', '1', 40, lost)]);
    expect(await shown()).toEqual(nowhere);
    expect(await shown('sv')).toMatchObject({ frequency: 1 });
    const nodes = '{ nodes { tweetId location { latitude } } }';
    const source = `{
      a: searchTweets(words: ["lost"]) ${nodes} b: searchTweets(words: ["lost"], order: NEWEST) ${nodes}
      c: hashtag(name: "lost") { tweets ${nodes} } old: tweetsOfDay(day: "2026-01-01") ${nodes}
    }`;
    const only = { nodes: [{ tweetId: '11', location: null }] };
    expect(await ask(server, source)).toEqual({ a: only, b: only, c: { tweets: only }, old: { nodes: [] } });
  });

  test('the most liked are exact while likes cross powers of two between the pages', async () => {
    const count = 14;
    await server.store(
      Array.from({ length: count }, (_, n) =>
        tweet(String(100 + n), '1', n, { content: 'common word', likeCount: n % 5, hashtags: ['word'] }),
      ),
    );
    const likes = Array.from({ length: count }, (_, n) => n % 5);
    for (let round = 0; round < 12; round++) {
      const n = (round * 5) % count;
      const name = round % 4 === 3 ? 'unlikeTweet' : 'likeTweet';
      const who = PEOPLE[round % 3] ?? '';
      const { tweet: changed } = (await act(server, who, name, { id: tweetNode(String(100 + n)) })) as {
        tweet: { likeCount: number };
      };
      likes[n] = changed.likeCount;
      const expected = likes
        .map((likeCount, place) => ({ tweetId: String(100 + place), likeCount }))
        .sort((a, b) => b.likeCount - a.likeCount || Number(b.tweetId) - Number(a.tweetId));
      const data = await ask(
        server,
        `{ search: searchTweets(words: ["word", "common"], first: 50) { nodes { tweetId likeCount } }
         hashtag(name: "word") { tweets(order: MOST_LIKED, first: 50) { nodes { tweetId likeCount } } } }`,
      );
      expect(data).toEqual({ search: { nodes: expected }, hashtag: { tweets: { nodes: expected } } });
    }
  });

  test('what trends is counted by authors, by the last use of each, in the window asked for', async () => {
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    let id = 1000;
    const use = (tag: string, author: string, minutes: number, more = {}) =>
      tweet(String(++id), author, 0, {
        content: `#${tag}`,
        hashtags: findHashtags(`#${tag}`),
        createdAt: minutesAgo(minutes),
        ...more,
      });
    await server.store([
      // One author, often: 1. Two authors in the last quarter of an hour: 2.
      ...[1, 2, 3, 4].map((minute) => use('often', '1', minute)),
      ...['1', '2'].map((author) => use('Fresh', author, 5)),
      // Three in the second quarter: 1½. Five in the last: 5/8. As much as that, by name before it.
      ...['1', '2', '3'].map((author) => use('older', author, 20)),
      ...['1', '2', '3', '4', '5'].map((author) => use('oldest', author, 50)),
      ...['1', '2', '3', '4', '5'].map((author) => use('early', author, 50)),
      // The last use counts.
      use('again', '1', 50),
      use('again', '1', 1),
      use('yesterday', '1', 20 * 60),
      use('week', '1', 6 * 24 * 60),
      use('before', '1', 8 * 24 * 60),
      use('shared', '1', 2, { sharedTweetId: '999' }),
    ]);
    const trends = async (window: string, first: number | null = null) => {
      const source = `query ($first: Int) { trendingHashtags(window: ${window}, first: $first) { hashtag { name } count } }`;
      const { data, errors } = await server.query(source, { first });
      expect(errors).toEqual([]);
      const { trendingHashtags } = data as {
        trendingHashtags: { hashtag: { name: string }; count: number }[];
      };
      return trendingHashtags.map(({ hashtag, count }) => `${hashtag.name} ${count}`);
    };
    const hour = (await trends('HOUR')).filter((one) => !one.startsWith('found'));
    expect(hour).toEqual(['Fresh 2', 'older 3', 'again 1', 'often 1', 'early 5', 'oldest 5']);
    expect(await trends('HOUR', 2)).toEqual(['Fresh 2', 'older 3']);
    expect((await trends('DAY')).slice(-1)).toEqual(['yesterday 1']);
    expect((await trends('WEEK')).slice(-1)).toEqual(['week 1']);
  });
});
