import { nameDay } from '../../src/kit/lists/day-list';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { writeOf } from '../../src/kit/cassandra/write';
import { articles, comments } from '../../src/features/news/news.table';
import { person, startHarness, type Harness } from '../support/harness';
import { act, ask, codesOf } from '../support/mutations';
import { commentsByDay } from '../../src/features/news/news-days.lists';
import { putAll } from '../../src/kit/writes/row-writer';
import { settled } from '../support/settled';
import { addComment } from '../../src/write/news/add-comment';
import { removeArticle } from '../../src/write/news/remove';

const ADA = { ...person('1', 'ada'), description: 'who counts' };
const BO = person('2', 'bo');
let server: Harness;
let other: Harness;
beforeAll(async () => {
  server = await startHarness();
  other = await startHarness({}, server);
  await server.store([ADA, BO]);
});
afterAll(async () => {
  await other.close();
  await server.close();
});

interface Published {
  readonly id: string;
  readonly title: string;
  readonly publishedAt: string;
  readonly commentCount: number;
}
interface Said {
  readonly id: string;
  readonly createdAt: string;
  readonly article: { readonly id: string; readonly commentCount: number };
}
const publishAs = async (on: Harness, who: string, input: object) =>
  ((await act(on, who, 'publishArticle', { input })) as { article: Published }).article;
const sayAs = async (on: Harness, who: string, input: object) =>
  ((await act(on, who, 'addComment', { input })) as { comment: Said }).comment;
const publish = (title: string, who = '1', on = server) =>
  publishAs(on, who, { title, body: 'text', tags: ['a'] });
const say = (articleId: string, body: string, who = '2') => sayAs(server, who, { articleId, body });
const tablesOf = (reads: readonly { readonly table: string }[]) => reads.map(({ table }) => table).sort();
const today = () => new Date().toISOString().slice(0, 10);

test('an article stands in all lists, and in each it is one partition; of a day, texts are further ones', async () => {
  const { id, publishedAt } = await publish('One');
  const day = publishedAt.slice(0, 10);
  const whole = { id, title: 'One', body: 'text', tags: ['a'], publishedAt };
  const fields = 'id title body tags publishedAt';
  const byId = await server.query(`{ article(id: "${id}") { ${fields} } node(id: "${id}") { id } }`);
  expect(byId.data).toEqual({ article: whole, node: { id } });

  const ofDay = await server.query(
    `{ articlesOfDay(day: "${day}", first: 1) { nodes { ${fields} author { id userId name } } } }`,
  );
  const author = { id: encodeNodeId('User', '1'), userId: '1', name: 'The ada' };
  expect(ofDay.data).toEqual({ articlesOfDay: { nodes: [{ ...whole, author }] } });
  expect(tablesOf(ofDay.reads)).toEqual(['articles', 'articles_by_day']);
  const heads = await server.query(
    `{ articlesOfDay(day: "${day}", first: 1) { edges { node { id title tags publishedAt author { name } } } } }`,
  );
  expect(heads.errors).toEqual([]);
  expect(tablesOf(heads.reads)).toEqual(['articles_by_day']);

  const list = `articles(first: 1) { nodes { ${fields} author { ... on User { name description } } } }`;
  for (const [user, tables] of [
    ['user(username: "Ada")', ['profiles_by_username']],
    ['user: userByTwitterAccount(twitterAccount: "ada")', ['users', 'users_by_twitter_account']],
  ] as const) {
    const ofUser = await server.query(`{ ${user} { ${list} } }`);
    const nodes = [{ ...whole, author: { name: 'The ada', description: 'who counts' } }];
    expect(ofUser.data).toEqual({ user: { articles: { nodes } } });
    expect(tablesOf(ofUser.reads)).toEqual(['articles_by_user', ...tables]);
  }
});

test('of an author more than the copy has is read once a page', async () => {
  await Promise.all(['a', 'b', 'c'].map((title) => publish(title)));
  const { data, reads } = await server.query(
    `{ articlesOfDay(day: "${today()}", first: 3) { nodes { author { name username } } } }`,
  );
  const author = { name: 'The ada', username: 'ada' };
  expect(data).toEqual({ articlesOfDay: { nodes: [{ author }, { author }, { author }] } });
  expect(tablesOf(reads)).toEqual(['articles_by_day', 'users']);
});

test('comments are of an article, of its author, and of a period', async () => {
  const { id } = await publish('Two');
  const said = [await say(id, 'first'), await say(id, 'mine', '1'), await say(id, 'last')];
  expect(said.map(({ article }) => article.commentCount)).toEqual([1, 2, 3]);
  const bodies = (list: string) => `${list} { nodes { body author { name } } }`;
  const { data, reads } = await server.query(
    `{ article(id: "${id}") { commentCount ${bodies('comments')} ${bodies('authorComments')} } }`,
  );
  const [first, mine, last] = [
    { body: 'first', author: { name: 'The bo' } },
    { body: 'mine', author: { name: 'The ada' } },
    { body: 'last', author: { name: 'The bo' } },
  ];
  expect(data).toEqual({
    article: { commentCount: 3, comments: { nodes: [last, mine, first] }, authorComments: { nodes: [mine] } },
  });
  // Whether both lists have come when people are read is a matter of moments.
  expect([...new Set(tablesOf(reads))]).toEqual([
    'article_counts',
    'articles',
    'author_comments_by_article',
    'comments_by_article',
    'users',
  ]);

  const [from, to] = [said[0]?.createdAt ?? '', new Date(Date.parse(said[2]?.createdAt ?? '') + 1)];
  const ofPeriod = await server.query(
    `{ comments(from: "${from}", to: "${to.toISOString()}") { nodes { id body author { name } article { id title } } } }`,
  );
  const about = { id, title: 'Two' };
  expect(ofPeriod.data).toEqual({
    comments: {
      nodes: [
        { id: said[2]?.id, ...last, article: about },
        { id: said[1]?.id, ...mine, article: about },
        { id: said[0]?.id, ...first, article: about },
      ],
    },
  });
  expect(tablesOf(ofPeriod.reads)).toEqual(['buckets', 'comments_by_day']);
});

describe('a name that changes', () => {
  const copies = async () => {
    const answer = await ask(
      server,
      `{ articlesOfDay(day: "${today()}", first: 1) { nodes { author { name } } }
         user(username: "dora") { name articles { nodes { author { name description } } } }
         comments(from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z", first: 1) { nodes { author { name } } } }`,
    );
    return answer;
  };
  const shown = (name: string, description: string | null, current = name) => ({
    articlesOfDay: { nodes: [{ author: { name } }] },
    user: { name: current, articles: { nodes: [{ author: { name, description } }] } },
    comments: { nodes: [{ author: { name } }] },
  });

  test('reaches its copies, and takes a description away that is given up', async () => {
    const held = await startHarness({}, server, { held: true });
    await server.store([{ ...person('4', 'dora'), description: 'new here' }]);
    const { id } = await publish('Three', '4');
    await say(id, 'so it is', '4');
    expect(await copies()).toEqual(shown('The dora', 'new here'));
    // If no work after the answer is finished, copies are late and nothing breaks.
    await act(held, '4', 'updateUser', { input: { name: 'Dora', description: null } });
    expect(await copies()).toEqual(shown('The dora', 'new here', 'Dora'));
    // Another server finishes what that one left when it ended.
    await held.close();
    await settled(server);
    expect(await copies()).toEqual(shown('Dora', null));
    // A description alone, too.
    await act(server, '4', 'updateUser', { input: { description: 'xylophones' } });
    await settled(server);
    expect(await copies()).toEqual(shown('Dora', 'xylophones'));
    await act(server, '4', 'updateUser', { input: { description: null } });
    await settled(server);
    expect(await copies()).toEqual(shown('Dora', null));
  });
});

test('an idempotency key makes one article and one comment, through whichever server', async () => {
  const input = { title: 'Once', body: 'only', idempotencyKey: 'an article' };
  const published = await Promise.all(
    Array.from({ length: 8 }, (_, n) => publishAs(n % 2 === 0 ? server : other, '2', input)),
  );
  const ids = new Set(published.map(({ id }) => id));
  expect(ids.size).toBe(1);
  const [articleId = ''] = ids;
  const comment = { articleId, body: 'once', idempotencyKey: 'a comment' };
  const said = await Promise.all(
    Array.from({ length: 8 }, (_, n) => sayAs(n % 2 === 0 ? server : other, '1', comment)),
  );
  expect(new Set(said.map(({ id }) => id)).size).toBe(1);
  const lists = 'nodes { id } ';
  expect(
    await ask(
      server,
      `{ user(username: "bo") { articles { ${lists} } } article(id: "${articleId}") { commentCount comments { ${lists} } } }`,
    ),
  ).toEqual({
    user: { articles: { nodes: [{ id: articleId }] } },
    article: { commentCount: 1, comments: { nodes: [{ id: said[0]?.id }] } },
  });
  expect(await codesOf(server, '2', 'publishArticle', { input: { ...input, body: 'other' } })).toEqual([
    'CONFLICT',
  ]);
  expect(await codesOf(server, '1', 'addComment', { input: { ...comment, body: 'other' } })).toEqual([
    'CONFLICT',
  ]);
});

test('no insert overwrites a row of another, though many servers write at once', async () => {
  await server.store([person('5', 'eve')]);
  const titles = Array.from({ length: 60 }, (_, n) => `title ${n}`);
  const published = await Promise.all(
    titles.map((title, n) => publish(title, '5', n % 2 === 0 ? server : other)),
  );
  expect(new Set(published.map(({ id }) => id)).size).toBe(60);
  const rows = await server.database.run('SELECT title FROM articles_by_day WHERE day = ? AND bucket = 0', [
    nameDay(new Date()),
  ]);
  expect(rows.map((row) => String(row['title']))).toEqual(expect.arrayContaining(titles));
  const answer = (await ask(
    server,
    '{ user(username: "eve") { articles(first: 100) { nodes { id } } } }',
  )) as {
    user: { articles: { nodes: { id: string }[] } };
  };
  expect(answer.user.articles.nodes.map(({ id }) => id).sort()).toEqual(published.map(({ id }) => id).sort());
});

test('what a server leaves half done is finished by another', async () => {
  const held = await startHarness({}, server, { held: true });
  const { id } = await publish('Half');
  const articleId = held.writeServices.worker.nextId();
  const moment = new Date();
  const left = { articleId, authorId: '2', title: 'Left', body: 'x', tags: [], publishedAt: moment };
  const commentId = held.writeServices.worker.nextId();
  const [, about = ''] = Buffer.from(id, 'base64url').toString().split(':');
  const unsaid = { commentId, articleId: about, authorId: '1', body: 'left', createdAt: moment };
  for (const { query, params } of [writeOf(articles, left), writeOf(comments, unsaid)])
    await server.database.write(query, params);
  for (const [kind, payload] of [
    ['article', { articleId }],
    ['comment', { commentId }],
  ] as const)
    await held.writeServices.outbox.enqueue(await held.writeServices.outbox.prepareTask(kind, payload));
  await held.close();
  await settled(server);
  const answer = await ask(
    server,
    `{ user(username: "bo") { articles(first: 1) { nodes { title } } } article(id: "${id}") { commentCount authorComments { nodes { body } } } }`,
  );
  expect(answer).toEqual({
    user: { articles: { nodes: [{ title: 'Left' }] } },
    article: { commentCount: 1, authorComments: { nodes: [{ body: 'left' }] } },
  });
});

test('a comment that a server leaves half done does not outlive its article', async () => {
  const held = await startHarness({}, server, { held: true });
  const commentId = held.writeServices.worker.nextId();
  const row = { commentId, articleId: '7', authorId: '1', body: 'left', createdAt: new Date() };
  // Its server has stored the row of the day, which comes first, and not those of the others.
  const ofDay = { ...row, ...commentsByDay.dayFor(row), articleTitle: 'gone', authorName: 'Ada' };
  await putAll(server.writeServices.bulk(), [writeOf(comments, row), writeOf(commentsByDay, ofDay)]);
  await held.writeServices.outbox.enqueue(
    await held.writeServices.outbox.prepareTask('comment', { commentId, authorId: '1' }),
  );
  await held.close();
  await settled(server);
  const source = `{ node(id: "${encodeNodeId('Comment', commentId)}") { id } }`;
  expect(await ask(server, source)).toEqual({ node: null });
  const { from, to } = {
    from: row.createdAt.toISOString(),
    to: new Date(Number(row.createdAt) + 1).toISOString(),
  };
  const inPeriod = `{ comments(from: "${from}", to: "${to}") { nodes { body } } }`;
  expect(await ask(server, inPeriod)).toEqual({ comments: { nodes: [] } });
  expect(
    await server.database.run('SELECT comment_id FROM comments WHERE comment_id = ?', [commentId]),
  ).toEqual([]);
});

test('bad input is refused, and says what is wrong', async () => {
  const input = { title: 'T', body: 'b' };
  const refused = (more: object, who: string | null = '1') =>
    codesOf(server, who, 'publishArticle', { input: { ...input, ...more } });
  expect(await refused({}, null)).toEqual(['UNAUTHENTICATED']);
  expect(await refused({}, 'service')).toEqual(['FORBIDDEN']);
  expect(await refused({ title: ' ' })).toEqual(['BAD_USER_INPUT']);
  expect(await refused({ title: 'x'.repeat(201) })).toEqual(['BAD_USER_INPUT']);
  expect(await refused({ body: '' })).toEqual(['BAD_USER_INPUT']);
  expect(await refused({ tags: Array.from({ length: 21 }, (_, n) => `tag${n}`) })).toEqual([
    'BAD_USER_INPUT',
  ]);
  expect(await refused({ tags: [''] })).toEqual(['BAD_USER_INPUT']);
  const comment = (articleId: string, body = 'b') =>
    codesOf(server, '1', 'addComment', { input: { articleId, body } });
  expect(await comment(encodeNodeId('Article', '7'))).toEqual(['NOT_FOUND']);
  expect(await comment(encodeNodeId('User', '1'))).toEqual(['BAD_USER_INPUT']);
  expect(await comment(encodeNodeId('Article', '7'), '\n')).toEqual(['BAD_USER_INPUT']);
  const backwards = await server.query(
    '{ comments(from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z") { nodes { id } } }',
  );
  expect(backwards.errors.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
});

test('a comment is taken back if its article is removed while its rows are stored', async () => {
  const { id, publishedAt } = await publish('Soon gone');
  const [, articleId = ''] = Buffer.from(id, 'base64url').toString().split(':');
  const { writeServices } = server;
  let removed: Promise<void> | undefined;
  const racing = {
    ...writeServices,
    bulk: () => {
      const writer = writeServices.bulk();
      return {
        ...writer,
        async put(...writes: Parameters<typeof writer.put>) {
          removed ??= removeArticle(writeServices, {
            articleId,
            authorId: '1',
            publishedAt: new Date(publishedAt),
          });
          await removed;
          await writer.put(...writes);
        },
      };
    },
  };
  const { commentId } = await addComment(racing, '2', null, { articleId, body: 'too late' });
  expect(removed).toBeDefined();
  await writeServices.outbox.idle();
  const left = await Promise.all(
    ['comments', 'comments_by_author', 'comments_by_article', 'comments_by_day', 'notifications_by_user'].map(
      (table) => server.database.run(`SELECT * FROM ${table}`),
    ),
  );
  const texts = left.flat().map((row) => Object.values(row).map(String));
  expect(texts.filter((values) => values.some((value) => value.includes(commentId)))).toEqual([]);
  expect(texts.filter((values) => values.includes('too late'))).toEqual([]);
});
