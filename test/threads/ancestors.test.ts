import { shuffled } from '../../src/kit/base/random';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { person, startHarness, tweet, type Harness } from '../support/harness';
import { act, ask, post } from '../support/mutations';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada'), person('2', 'bo'), person('3', 'cy')]);
});
afterAll(() => server.close());

test('ancestors come page by page, from the root on', async () => {
  const chain = Array.from({ length: 100 }, (_, n) =>
    tweet(String(900 + n), '1', 1, n === 0 ? {} : { inReplyToId: String(899 + n) }),
  );
  await server.store(shuffled(chain));
  const found: string[] = [];
  for (let after: string | null = null; ;) {
    const source = `query ($after: String) { tweet(tweetId: "999") { ancestors(first: 30, after: $after) { nodes { tweetId } pageInfo { hasNextPage endCursor } } } }`;
    const { data } = await server.query(source, { after });
    const { nodes, pageInfo } = (
      data as {
        tweet: {
          ancestors: {
            nodes: { tweetId: string }[];
            pageInfo: { hasNextPage: boolean; endCursor: string };
          };
        };
      }
    ).tweet.ancestors;
    found.push(...nodes.map(({ tweetId }) => tweetId));
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor;
  }
  expect(found).toEqual(chain.slice(0, -1).map(({ tweetId }) => tweetId));
});

test('hiddenCount counts the ancestors that the viewer may not see', async () => {
  const first = await post(server, '1', { content: 'first' });
  const second = await post(server, '2', { content: 'second', inReplyTo: first.id });
  const third = await post(server, '3', { content: 'third', inReplyTo: second.id });
  const source = `{ tweet(tweetId: "${third.tweetId}") { ancestors { nodes { tweetId } hiddenCount } } }`;
  const seenBy = async (who: string) => ((await ask(server, source, who)) as { tweet: object }).tweet;
  await act(server, '3', 'blockUser', { id: encodeNodeId('User', '2') });
  const [one, other] = [first, second].map(({ tweetId }) => ({ tweetId }));
  expect(await seenBy('3')).toEqual({ ancestors: { nodes: [one], hiddenCount: 1 } });
  expect(await seenBy('1')).toEqual({ ancestors: { nodes: [one, other], hiddenCount: 0 } });
  await act(server, '3', 'unblockUser', { id: encodeNodeId('User', '2') });
});

test('without first, ancestors have 40 a page, and the bound counts as many', async () => {
  const source = (args: string) => `{ tweet(tweetId: "999") { ancestors${args} { nodes { raw } } } }`;
  const [byDefault, asked] = await Promise.all(
    ['', '(first: 40)'].map(async (args) => {
      const { body } = await server.post(JSON.stringify({ query: source(args) }), '1');
      const { data, extensions } = JSON.parse(body) as {
        data: { tweet: { ancestors: { nodes: object[] } } };
        extensions: { cost: { bound: number } };
      };
      return { nodes: data.tweet.ancestors.nodes.length, bound: extensions.cost.bound };
    }),
  );
  expect(byDefault).toEqual(asked);
  expect(asked?.nodes).toBe(40);
});

test('pages of ancestors are full and say exactly whether others follow, whatever is hidden or deleted', async () => {
  const LENGTH = 64;
  // Of the first ones, one can be seen, and one at the end of a stretch that is longer than a page.
  const authorOf = (n: number) => (n === 0 || n === 20 || (n > 40 && n % 3 === 0) ? '1' : '2');
  const chain = Array.from({ length: LENGTH }, (_, n) =>
    tweet(String(1100 + n), authorOf(n), 1, n === 0 ? {} : { inReplyToId: String(1099 + n) }),
  );
  await server.store([...chain, tweet('1190', '3', 1, { inReplyToId: String(1099 + LENGTH) })]);
  await act(server, '3', 'blockUser', { id: encodeNodeId('User', '2') });
  await act(server, '1', 'deleteTweet', { id: encodeNodeId('Tweet', '1120') });
  const seen = chain.filter(({ author, tweetId }) => author.userId === '1' && tweetId !== '1120');
  for (const first of [1, 2, 5, 40]) {
    const found: string[] = [];
    let hidden = 0;
    for (let after: string | null = null; ;) {
      const source = `query ($after: String) { tweet(tweetId: "1190") { ancestors(first: ${first}, after: $after) { nodes { tweetId } hiddenCount pageInfo { hasNextPage endCursor } } } }`;
      const { data } = await server.query(source, { after }, '3');
      const { nodes, hiddenCount, pageInfo } = (
        data as {
          tweet: {
            ancestors: {
              nodes: { tweetId: string }[];
              hiddenCount: number;
              pageInfo: { hasNextPage: boolean; endCursor: string };
            };
          };
        }
      ).tweet.ancestors;
      found.push(...nodes.map(({ tweetId }) => tweetId));
      hidden += hiddenCount;
      expect(pageInfo.hasNextPage).toBe(found.length < seen.length);
      if (!pageInfo.hasNextPage) break;
      expect(nodes).toHaveLength(first);
      after = pageInfo.endCursor;
    }
    expect(found).toEqual(seen.map(({ tweetId }) => tweetId));
    expect(hidden).toBe(LENGTH - 1 - seen.length);
  }
  await act(server, '3', 'unblockUser', { id: encodeNodeId('User', '2') });
});
