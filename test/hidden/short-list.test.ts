import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { person, startHarness } from '../support/harness';
import { act, post } from '../support/mutations';

const VIEWER = '6';
const SHOWN = '5';
const HIDDEN = ['1', '2', '3'];
const TWEETS = 13;

interface Page {
  readonly nodes: readonly { readonly id: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const lists = {
  hashtag: (page: string) => `hashtag(name: "tag") { list: tweets(${page})`,
  searchTweets: (page: string) => `viewer { username } list: searchTweets(words: ["word"], ${page})`,
};

test('whoever hides nearly all of a short list reads it to its end, by pages of any size', async () => {
  const server = await startHarness();
  await server.store(Array.from({ length: 6 }, (_, n) => person(String(n + 1), `user${n + 1}`)));
  let shown = '';
  for (let n = 0; n < TWEETS; n++) {
    const author = n === 4 ? SHOWN : (HIDDEN[n % HIDDEN.length] ?? '');
    const { id } = await post(server, author, { content: `word ${n} #tag` });
    if (author === SHOWN) shown = id;
    for (const who of HIDDEN.slice(0, n % 4)) await act(server, who, 'likeTweet', { id });
  }
  await server.writeServices.outbox.idle();
  for (const who of HIDDEN) await act(server, VIEWER, 'blockUser', { id: encodeNodeId('User', who) });
  for (const [name, ask] of Object.entries(lists))
    for (const order of ['NEWEST', 'MOST_LIKED'])
      for (let size = 1; size <= TWEETS; size++) {
        const found: string[] = [];
        for (let after: string | null = null; ;) {
          const asked = ask(`order: ${order}, first: ${size}, after: ${JSON.stringify(after)}`);
          const source = `{ ${asked} { nodes { id } pageInfo { hasNextPage endCursor } } ${name === 'hashtag' ? '}' : ''} }`;
          const { data, errors } = await server.query(source, {}, VIEWER);
          expect(errors).toEqual([]);
          const { hashtag, list } = data as { readonly hashtag?: { list: Page }; readonly list?: Page };
          const page = hashtag?.list ?? list;
          found.push(...(page?.nodes ?? []).map(({ id }) => id));
          after = page?.pageInfo.endCursor ?? null;
          if (page?.pageInfo.hasNextPage !== true) break;
        }
        expect([name, order, size, found]).toEqual([name, order, size, [shown]]);
      }
});
