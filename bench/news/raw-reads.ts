import type { types } from 'cassandra-driver';
import { dayOf } from '../../src/kit/lists/buckets';
import { nameDay } from '../../src/kit/lists/day-list';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { leastIdAt, timeOfId } from '../../src/kit/base/snowflake';
import { minuteAfter, yearBefore } from './queries';

/** Reads rows by a statement. */
type Read = (cql: string, params: unknown[]) => Promise<types.Row[]>;

const profile =
  'SELECT CAST(user_id AS text) AS uid, username, name, description, twitter_account, created_at FROM users';

const head = 'CAST(article_id AS text) AS id, CAST(author_id AS text) AS aid, title, tags, published_at';
const article = `${head}, body`;

const comment = 'CAST(comment_id AS text) AS id, CAST(author_id AS text) AS aid, body, created_at';

const statements = {
  user: `${profile} WHERE user_id = ?`,
  users: `${profile} WHERE user_id IN ?`,
  article: `SELECT ${article} FROM articles WHERE article_id = ?`,
  days: 'SELECT bucket FROM buckets WHERE owner = 0 AND list = ? AND bucket <= ? LIMIT 65',
  bodies: 'SELECT CAST(article_id AS text) AS id, body FROM articles WHERE article_id IN ?',
  articlesOfDay: `SELECT ${head}, author_name FROM articles_by_day WHERE day = ? AND bucket = 0 LIMIT 11`,
  articlesOfUser: `SELECT ${article}, author_name, author_description FROM articles_by_user WHERE author_id = ? AND bucket = ? LIMIT 26`,
  commentsOfDay: `SELECT ${comment}, CAST(article_id AS text) AS about, article_title, author_name FROM comments_by_day WHERE day = ? AND bucket = 0 AND comment_id < ? LIMIT 26`,
};

/** The partition of a list that is not split. */
export const WHOLE_LIST = 0;

/** The reads of `newsQueries` by hand. Each page is from one bucket. */
export const newsReads: Readonly<Record<string, (read: Read, subject: string) => Promise<unknown>>> = {
  async D(read, articleId) {
    const rows = await read(statements.articlesOfDay, [nameDay(timeOfId(articleId))]);
    const page = rows.slice(0, 10);
    const bodies = await read(statements.bodies, [page.map((row) => String(row['id']))]);
    const bodyOf = new Map(bodies.map((row) => [row['id'], String(row['body'])]));
    return page.map((row) => ({
      ...articleIn(row),
      body: bodyOf.get(row['id']),
      author: authorIn(row),
    }));
  },
  async U(read, userId) {
    const [user] = await read(statements.user, [userId]);
    if (!user) return null;
    const rows = await read(statements.articlesOfUser, [userId, WHOLE_LIST]);
    return rows.slice(0, 25).map((row) => ({
      ...articleIn(row),
      author: { ...authorIn(row), description: String(row['author_description'] ?? '') || null },
    }));
  },
  C: (read, articleId) => commentsOn(read, 'comments_by_article', articleId),
  O: (read, articleId) => commentsOn(read, 'author_comments_by_article', articleId),
  I: (read, articleId) => commentsWithin(read, minuteAfter(articleId)),
  Y: (read, articleId) => commentsWithin(read, yearBefore(articleId)),
};

async function commentsOn(read: Read, table: string, articleId: string): Promise<unknown> {
  const [found] = await read(statements.article, [articleId]);
  if (!found) return null;
  const page = `SELECT ${comment} FROM ${table} WHERE article_id = ? AND bucket = ? LIMIT 26`;
  const rows = (await read(page, [articleId, WHOLE_LIST])).slice(0, 25);
  const people = await read(statements.users, [[...new Set(rows.map((row) => String(row['aid'])))]]);
  const nameOf = new Map(people.map((row) => [row['uid'], String(row['name'])]));
  return rows.map((row) => ({
    ...commentIn(row),
    author: { userId: String(row['aid']), name: nameOf.get(row['aid']) },
  }));
}

async function commentsWithin(read: Read, { from, to }: { from: Date; to: Date }): Promise<unknown> {
  const [newest] = await read(statements.days, ['comments_by_day', dayOf(to)]);
  const day = nameDay(new Date(Number(newest?.['bucket']) * 86_400_000));
  const rows = await read(statements.commentsOfDay, [day, leastIdAt(to)]);
  return rows
    .filter((row) => (row['created_at'] as Date) >= from)
    .slice(0, 25)
    .map((row) => ({
      ...commentIn(row),
      author: authorIn(row),
      article: { id: encodeNodeId('Article', String(row['about'])), title: String(row['article_title']) },
    }));
}

function articleIn(row: types.Row) {
  return {
    id: encodeNodeId('Article', String(row['id'])),
    title: String(row['title']),
    body: String(row['body']),
    tags: (row['tags'] as string[] | null) ?? [],
    publishedAt: row['published_at'] as Date,
  };
}

function commentIn(row: types.Row) {
  return {
    id: encodeNodeId('Comment', String(row['id'])),
    body: String(row['body']),
    createdAt: row['created_at'] as Date,
  };
}

function authorIn(row: types.Row) {
  return { userId: String(row['aid']), name: String(row['author_name']) };
}
