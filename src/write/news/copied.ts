import { id, writtenAt } from '../../kit/cassandra/column';
import type { Database } from '../../kit/cassandra/database';
import { getStatement } from '../../kit/cassandra/statement';
import type { RowOf } from '../../kit/cassandra/table';
import { readMany } from '../../kit/reads/load';
import { users } from '../../features/user/user.table';
import { articles } from '../../features/news/news.table';

const userColumns = {
  userId: id,
  name: users.columns.name,
  description: users.columns.description,
  nameAt: writtenAt('name'),
  descriptionAt: writtenAt('description'),
};
const articleColumns = {
  articleId: id,
  authorId: id,
  title: articles.columns.title,
  titleAt: writtenAt('title'),
};

const readUser = getStatement<{ userId: string }, RowOf<typeof userColumns>>({
  ...users,
  columns: userColumns,
});
const readArticle = getStatement<{ articleId: string }, RowOf<typeof articleColumns>>({
  ...articles,
  columns: articleColumns,
});

/** The part of a user that other rows copy. */
export interface CopiedUser {
  readonly userId: string;
  readonly name: string;
  readonly description: string | null;
  /** When it was last written, in microseconds. Copies are written with this timestamp, so that the latest one wins. */
  readonly at: number;
}

/** The part of an article that other rows copy; `at` as in `CopiedUser`. */
export interface CopiedArticle {
  readonly articleId: string;
  readonly authorId: string;
  readonly title: string;
  readonly at: number;
}

/** Reads the copied parts of users, in the order of the ids; null for a user that does not exist. */
export async function copiedUsers(
  database: Database,
  userIds: readonly string[],
): Promise<(CopiedUser | null)[]> {
  const rows = await readMany(
    database,
    readUser,
    userIds.map((userId) => ({ userId })),
  );
  return rows.map((row) => row && { ...row, at: Math.max(Number(row.nameAt), Number(row.descriptionAt)) });
}

/** Reads the copied parts of articles, in the order of the ids; null for an article that does not exist. */
export async function copiedArticles(
  database: Database,
  articleIds: readonly string[],
): Promise<(CopiedArticle | null)[]> {
  const rows = await readMany(
    database,
    readArticle,
    articleIds.map((articleId) => ({ articleId })),
  );
  return rows.map((row) => row && { ...row, at: Number(row.titleAt) });
}
