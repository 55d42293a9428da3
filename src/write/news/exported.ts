import { readMany } from '../../kit/reads/load';
import { articlesByUser, commentsByAuthor } from '../../features/news/news.lists';
import { articles, comments } from '../../features/news/news.table';
import { exportList, type ExportedPart } from '../exported';

/** The articles and comments of a person. */
export const newsExported: readonly ExportedPart[] = [
  exportList('articles', articlesByUser, async (database, rows) => {
    const found = await readMany(
      database,
      articles.get,
      rows.map(({ articleId }) => ({ articleId })),
    );
    return found.map((article) => {
      if (article === null) return null;
      const { articleId, title, body, tags, publishedAt } = article;
      return { articleId, title, body, tags, publishedAt };
    });
  }),
  exportList('comments', commentsByAuthor, async (database, rows) => {
    const found = await readMany(
      database,
      comments.get,
      rows.map(({ commentId }) => ({ commentId })),
    );
    return found.map((comment) => {
      if (comment === null) return null;
      const { commentId, articleId, body, createdAt } = comment;
      return { commentId, articleId, body, createdAt };
    });
  }),
];
