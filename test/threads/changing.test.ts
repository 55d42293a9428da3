import { person, startHarness, type Harness } from '../support/harness';
import { post } from '../support/mutations';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada'), person('2', 'bo'), person('3', 'cy')]);
});

interface ThreadPage {
  readonly edges: readonly {
    readonly tweetId: string;
    readonly moreReplies: { readonly cursor: string } | null;
  }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

test.each(['OLDEST', 'NEWEST', 'MOST_LIKED'])(
  'a walk through a thread in the order %s shows each reply once, whatever is replied meanwhile',
  async (order) => {
    const top = await post(server, '1', { content: 'top' });
    const reply = async (who: string) =>
      (await post(server, who, { content: 'r', inReplyTo: top.id })).tweetId;
    const replies: string[] = [];
    for (let n = 0; n < 8; n++) replies.push(await reply('2'));
    const page = async (after: string | null) => {
      const source = `query ($after: String) { tweet(tweetId: "${top.tweetId}") { thread(order: ${order}, perParent: 6, first: 3, after: $after) {
        edges { tweetId moreReplies { cursor } } pageInfo { hasNextPage endCursor } } } }`;
      const { data } = await server.query(source, { after });
      return (data as { tweet: { thread: ThreadPage } }).tweet.thread;
    };
    const found: string[] = [];
    const starts: (string | null)[] = [null];
    for (let start = starts.pop(); start !== undefined; start = starts.pop()) {
      const { edges, pageInfo } = await page(start);
      found.push(...edges.map(({ tweetId }) => tweetId));
      starts.push(...edges.flatMap(({ moreReplies }) => moreReplies?.cursor ?? []));
      if (pageInfo.hasNextPage) starts.push(pageInfo.endCursor);
      // One of the author's own would come first.
      for (const who of ['1', '3', '3', '3']) await reply(who);
    }
    expect(found.sort()).toEqual([top.tweetId, ...replies].sort());
  },
);
