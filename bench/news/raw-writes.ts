import type { Client } from 'cassandra-driver';
import { snowflakeAt } from '../../src/kit/base/snowflake';
import { dayOf, monthOf } from '../../src/kit/lists/buckets';
import { nameDay } from '../../src/kit/lists/day-list';

// Writes the same rows as publishArticle and addComment by hand: reads what the rows copy, then writes one logged batch.

/** The article and the comment that both servers write. */
export const draft = {
  title: 'Words of a title',
  body: 'some words of an article '.repeat(40),
  tags: ['bench'],
};

export const remark = 'some words of a comment '.repeat(4);

const head = 'article_id, author_id, title, tags, published_at';
const article = `${head}, body`;

const comment = 'comment_id, article_id, author_id, body, created_at';

const statements = {
  user: 'SELECT name, description FROM users WHERE user_id = ?',
  about: 'SELECT author_id, title FROM articles WHERE article_id = ?',
  bucket: 'INSERT INTO buckets (owner, list, bucket) VALUES (?, ?, ?)',
  articles: `INSERT INTO articles (${article}) VALUES (?, ?, ?, ?, ?, ?)`,
  articlesByUser: `INSERT INTO articles_by_user (bucket, author_name, author_description, ${article}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  articlesByDay: `INSERT INTO articles_by_day (day, bucket, author_name, ${head}) VALUES (?, 0, ?, ?, ?, ?, ?, ?)`,
  comments: `INSERT INTO comments (${comment}) VALUES (?, ?, ?, ?, ?)`,
  commentsByArticle: `INSERT INTO comments_by_article (bucket, ${comment}) VALUES (?, ?, ?, ?, ?, ?)`,
  ofAuthor: `INSERT INTO author_comments_by_article (bucket, ${comment}) VALUES (?, ?, ?, ?, ?, ?)`,
  commentsByDay: `INSERT INTO comments_by_day (day, bucket, article_title, author_name, ${comment}) VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?)`,
  commentsByAuthor: 'INSERT INTO comments_by_author (author_id, bucket, comment_id) VALUES (?, ?, ?)',
  count: 'UPDATE bench_comment_counts SET comments = comments + 1 WHERE article_id = ?',
};

/** Statements with their values. */
type Writes = [query: string, params: unknown[]][];

let created = 0;

/** Publishes an article of a user. */
export async function publish(client: Client, authorId: string): Promise<object> {
  const author = (await client.execute(statements.user, [authorId])).first();
  const now = new Date();
  const bucket = monthOf(now);
  const articleId = snowflakeAt(now, BigInt(created++));
  const head = [articleId, authorId, draft.title, draft.tags, now];
  const values = [...head, draft.body];
  const name: unknown = author.get('name');
  await write(client, [
    [statements.articles, values],
    [statements.articlesByUser, [bucket, name, author.get('description') ?? '', ...values]],
    [statements.articlesByDay, [nameDay(now), name, ...head]],
    [statements.bucket, [authorId, 'articles_by_user', bucket]],
  ]);
  return { articleId };
}

/**
 * Comments on an article, with the fewest possible writes. If the process is killed before the last one, the comment is
 * never counted, so this is no solution.
 */
export async function addComment(client: Client, articleId: string, authorId: string): Promise<object> {
  const [users, articles] = await Promise.all([
    client.execute(statements.user, [authorId]),
    client.execute(statements.about, [articleId]),
  ]);
  const [author, about] = [users.first(), articles.first()];
  const now = new Date();
  const [month, day] = [monthOf(now), dayOf(now)];
  const commentId = snowflakeAt(now, BigInt(created++));
  const values = [commentId, articleId, authorId, remark, now];
  const byAuthor: Writes = [
    [statements.ofAuthor, [month, ...values]],
    [statements.bucket, [articleId, 'author_comments_by_article', month]],
  ];
  await write(client, [
    [statements.comments, values],
    [statements.commentsByArticle, [month, ...values]],
    [statements.commentsByDay, [nameDay(now), about.get('title'), author.get('name'), ...values]],
    [statements.commentsByAuthor, [authorId, month, commentId]],
    [statements.bucket, [articleId, 'comments_by_article', month]],
    [statements.bucket, ['0', 'comments_by_day', day]],
    [statements.bucket, [authorId, 'comments_by_author', month]],
    ...(String(about.get('author_id')) === authorId ? byAuthor : []),
  ]);
  await client.execute(statements.count, [articleId]);
  return { commentId };
}

async function write(client: Client, writes: Writes): Promise<void> {
  const queries = writes.map(([query, params]) => ({ query, params }));
  await client.batch(queries, { prepare: true, logged: true });
}
