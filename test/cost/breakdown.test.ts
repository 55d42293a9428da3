import type { FieldCost } from '../../src/kit/cost/query-cost';
import type { Read } from '../../src/kit/reads/load';
import type { Harness } from '../support/harness';
import { startNetwork } from './network';

/** Fields with an order, by their paths. */
const lists = {
  'user.tweets': (page: string) => `{ user(username: "ada") { tweets(${page}) { ...page } } }`,
  'user.timeline': (page: string) => `{ user(username: "x_1") { timeline(${page}) { ...page } } }`,
  'tweet.replies': (page: string) => `{ tweet(tweetId: "100") { replies(${page}) { ...page } } }`,
  'hashtag.tweets': (page: string) => `{ hashtag(name: "x") { tweets(${page}) { ...page } } }`,
  searchTweets: (page: string) => `{ searchTweets(words: ["tweet", "ada"], ${page}) { ...page } }`,
};
const PAGE =
  'fragment page on TweetConnection { nodes { id } pageInfo { endCursor hasNextPage hasPreviousPage } }';
/** So many pages come to the tweets without likes, if those are read after the others. */
const PAGES = 10;

interface Explained {
  readonly data: unknown;
  readonly extensions: {
    readonly cost: { readonly fields: readonly FieldCost[] };
    readonly explain: readonly Read[];
  };
}

let server: Harness;
beforeAll(async () => {
  server = await startNetwork();
});

describe.each(Object.entries(lists))('%s', (path, queryOf) => {
  test.each(['NEWEST', 'MOST_LIKED'])('in the order %s reads tables that its bound names', async (order) => {
    let after = '';
    for (let page = 0; page < PAGES; page++) {
      const query = `${queryOf(`first: 10, order: ${order}${after}`)} ${PAGE}`;
      const { body } = await server.post(JSON.stringify({ query }));
      const { data, extensions } = JSON.parse(body) as Explained;
      const named = extensions.cost.fields
        .filter((field) => field.path.startsWith(path))
        .flatMap(({ tables }) => tables.flatMap(({ table, otherTables = [] }) => [table, ...otherTables]));
      const read = extensions.explain.filter(({ paths }) =>
        paths.some((needing) => needing.startsWith(path)),
      );
      if (page === 0) expect(read).not.toEqual([]);
      expect(read.map(({ table }) => table).filter((table) => !named.includes(table))).toEqual([]);
      const { endCursor, hasNextPage } = pageInfoIn(data, path);
      if (!hasNextPage) break;
      after = `, after: ${JSON.stringify(endCursor)}`;
    }
  });
});

function pageInfoIn(data: unknown, path: string) {
  const list: unknown = path
    .split('.')
    .reduce<unknown>((object, name) => Reflect.get(Object(object), name), data);
  return (list as { readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean } })
    .pageInfo;
}
