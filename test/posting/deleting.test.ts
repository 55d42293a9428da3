import { tweet } from '../support/harness';
import { act, ask, post } from '../support/mutations';
import { remove, server, tweetCount, tweetNode, userNode } from './tweets';

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
    expect(await remove('1', tweetNode('999'))).toEqual(['NOT_FOUND']);
    for (const id of [userNode('1'), 'x', '']) expect(await remove('1', id)).toEqual(['BAD_USER_INPUT']);
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
    await server.writeServices.outbox.idle();
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
    await server.writeServices.outbox.idle();
    expect(await all()).toEqual([[], []]);
  });

  test('what was imported leaves the counts that were imported one less, for good', async () => {
    const shown =
      '{ user(username: "user4") { tweetCount } tweet(tweetId: "100") { likeCount shareCount replyCount } }';
    expect(await ask(server, shown)).toEqual({
      user: { tweetCount: 2 },
      tweet: { likeCount: 7, shareCount: 5, replyCount: 3 },
    });
    await act(server, '1', 'likeTweet', { id: tweetNode('100') });
    const after = { user: { tweetCount: 1 }, tweet: { likeCount: 8, shareCount: 5, replyCount: 2 } };
    for (let n = 0; n < 2; n++) {
      expect(await remove('4', tweetNode('102'))).toEqual([]);
      expect(await ask(server, shown)).toEqual(after);
      await server.writeServices.outbox.idle();
      expect(await ask(server, shown)).toEqual(after);
    }
    await server.store([tweet('102', '4', 3, { inReplyToId: '100' })]);
    expect(await ask(server, shown)).toEqual(after);
    expect(await remove('4', tweetNode('103'))).toEqual([]);
    expect(await tweetCount('4')).toBe(0);
    const before = await tweetCount('2');
    expect(await remove('2', tweetNode('100'))).toEqual([]);
    await server.writeServices.outbox.idle();
    expect(await tweetCount('2')).toBe(before - 1);
    expect(await ask(server, '{ tweet(tweetId: "100") { id } }')).toEqual({ tweet: null });
  });
});
