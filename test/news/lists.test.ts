import { putAll, putRows } from '../../src/kit/writes/row-writer';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { joinPages, PAGE_INFO, pageReader, readsOf } from '../../src/tools/testing/testing';
import { leastIdAt } from '../../src/kit/base/snowflake';
import { writeOf } from '../../src/kit/cassandra/write';
import { articles, comments } from '../../src/features/news/news.table';
import { buildArticleRows, commentOfDay, buildCommentRows } from '../../src/write/news/news-rows';
import { type Harness, person, startHarness } from '../support/harness';

let server: Harness;

beforeAll(async () => {
  server = await startHarness();
});

afterAll(() => server.close());

const ask = (source: string) => server.query(source);

/** Articles and comments of earlier times, as acts are of now; each comment is about its own article or all about one. */
async function store(moments: readonly Date[], authorId: string, about?: string): Promise<void> {
  for (const moment of moments) {
    const articleId = leastIdAt(moment);
    const article = { articleId, authorId, title: articleId, body: '', tags: [], publishedAt: moment };
    const said = { commentId: articleId, articleId: about ?? articleId, authorId, body: articleId };
    const comment = { ...said, createdAt: moment };
    const author = { userId: authorId, name: '', description: null, at: 1 };
    for (const { query, params } of [writeOf(articles, article), writeOf(comments, comment)])
      await server.database.write(query, params);
    const copied = { ...article, at: 1 };
    const rows = [...buildArticleRows(article, author), ...buildCommentRows(comment, authorId)];
    await putAll(server.writeServices.bulk(), rows);
    await putRows(server.writeServices.bulk(), [commentOfDay(comment, copied, author)]);
  }
}

test('comments of a minute and of two years are exactly those, in pages', async () => {
  await server.store([person('3', 'cy')]);
  const start = Date.UTC(2022, 5, 1, 12);
  const step = 5 * 86_400_000 + 17_000;
  const moments = Array.from({ length: 146 }, (_, n) => new Date(start + n * step));
  await store(moments, '3');
  const within = (from: number, to: number) =>
    moments
      .filter((moment) => Number(moment) >= from && Number(moment) < to)
      .map(leastIdAt)
      .reverse();
  const walk = async (from: number, to: number, first: number) => {
    const [since, until] = [from, to].map((at) => new Date(at).toISOString());
    const query = (page: string) =>
      `{ list: comments(from: "${since}", to: "${until}", ${page}) { edges { node { body } } ${PAGE_INFO} } }`;
    const edges = await joinPages(
      pageReader<{ readonly node: { readonly body: string } }>(ask, query),
      'first',
      first,
    );
    return edges.map(({ node }) => node.body);
  };
  const end = start + 145 * step;
  expect(await walk(start, end + 1, 100)).toEqual(within(start, end + 1));
  expect(within(start, end + 1)).toHaveLength(146);
  // The end is not of it, the beginning is.
  expect(await walk(start, end, 7)).toEqual(within(start, end));
  const one = Number(moments[70]);
  expect(await walk(one, one + 60_000, 10)).toEqual([leastIdAt(new Date(one))]);
  expect(await walk(one - 60_000, one, 10)).toEqual([]);
  expect(await walk(one + 1, one + 60_000, 10)).toEqual([]);
  expect(await walk(0, Date.UTC(2200, 0), 100)).toEqual(within(start, end + 1));
});

describe('lists', () => {
  // Three months, of each a day.
  const moments = Array.from({ length: 15 }, (_, n) => new Date(Date.UTC(2020, Math.floor(n / 5), 1, n)));
  const ABOUT = leastIdAt(moments[0] ?? new Date());
  const edges = `{ edges { cursor node { key: id } } ${PAGE_INFO} }`;
  const ofArticle = `article(id: "${encodeNodeId('Article', ABOUT)}")`;
  beforeAll(async () => {
    await server.store([person('6', 'fay')]);
    await store(moments, '6', ABOUT);
  });

  test.each([
    {
      list: 'Query.articlesOfDay',
      query: (page: string) => `{ list: articlesOfDay(day: "2020-03-01", ${page}) ${edges} }`,
      node: 'Article',
      held: moments.slice(10),
      reads: ['articles_by_day.page 1'],
      directions: ['first'] as const,
    },
    {
      list: 'User.articles',
      query: (page: string) => `{ of: user(username: "fay") { list: articles(${page}) ${edges} } }`,
      node: 'Article',
      held: moments,
      reads: ['articles_by_user.page 1', 'profiles_by_username.get 1'],
      directions: ['first', 'last'] as const,
    },
    ...['comments', 'authorComments'].map((field) => ({
      list: `Article.${field}`,
      query: (page: string) => `{ of: ${ofArticle} { list: ${field}(${page}) ${edges} } }`,
      node: 'Comment',
      held: moments,
      reads: ['articles.get 1', `${field === 'comments' ? '' : 'author_'}comments_by_article.page 1`].sort(),
      directions: ['first', 'last'] as const,
    })),
    {
      list: 'Query.comments',
      query: (page: string) =>
        `{ list: comments(from: "2020-01-01T00:00:00Z", to: "2021-01-01T00:00:00Z", ${page}) ${edges} }`,
      node: 'Comment',
      held: moments,
      reads: ['buckets.page 1', 'comments_by_day.page 1'],
      directions: ['first'] as const,
    },
  ])(
    'pages of $list read one partition each and join to the whole',
    async ({ query, node, held, reads, directions }) => {
      const page = pageReader<{ readonly node: { readonly key: string } }>(
        (source) => server.query(source),
        query,
      );
      const whole = (await page('first: 100')).edges;
      const ids = held.map((moment) => encodeNodeId(node, leastIdAt(moment)));
      expect(whole.map(({ node: { key } }) => key)).toEqual(ids.reverse());
      for (const direction of directions) {
        expect(readsOf(await ask(query(`${direction}: 2`)))).toEqual(reads);
        expect(await joinPages(page, direction, 2)).toEqual(whole);
      }
    },
  );
});
