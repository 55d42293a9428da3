import { day, id, int, optional, shared, text, texts, timestamp } from '../kit/cassandra/column';
import { type Row, table } from '../kit/cassandra/table';

const articleColumns = {
  articleId: id,
  authorId: id,
  title: text,
  body: text,
  tags: texts,
  publishedAt: timestamp,
};

const commentColumns = { commentId: id, articleId: id, authorId: id, body: text, createdAt: timestamp };

/** An article, by id. */
export const articles = table('articles', articleColumns, { partition: ['articleId'] });

/** A day's articles, newest first, with their authors' names. */
export const articlesByDay = table(
  'articles_by_day',
  { day, authorName: text, ...articleColumns },
  { partition: ['day'], clustering: ['articleId'] },
);

/** A user's articles, newest first; a partition is a month, with the user's name and description as static columns. */
export const articlesByUser = table(
  'articles_by_user',
  { bucket: int, authorName: shared(text), authorDescription: shared(optional(text)), ...articleColumns },
  { partition: ['authorId', 'bucket'], clustering: ['articleId'] },
);

/** How many comments an article has. */
export const articleCounts = table(
  'article_counts',
  { articleId: id, comments: int },
  { partition: ['articleId'] },
);

/** A comment, by id. */
export const comments = table('comments', commentColumns, { partition: ['commentId'] });

/** An article's comments, newest first; a partition is a month. */
export const commentsByArticle = table(
  'comments_by_article',
  { bucket: int, ...commentColumns },
  { partition: ['articleId', 'bucket'], clustering: ['commentId'] },
);

/** The comments that an article's own author wrote, newest first; a partition is a month. */
export const authorCommentsByArticle = table(
  'author_comments_by_article',
  { bucket: int, ...commentColumns },
  { partition: ['articleId', 'bucket'], clustering: ['commentId'] },
);

/** A day's comments, newest first, with the titles of their articles and the names of their authors. */
export const commentsByDay = table(
  'comments_by_day',
  { bucket: int, articleTitle: text, authorName: text, ...commentColumns },
  { partition: ['bucket'], clustering: ['commentId'] },
);

/** The comments that a user wrote; a partition is a month. */
export const commentsByAuthor = table(
  'comments_by_author',
  { authorId: id, bucket: int, commentId: id },
  { partition: ['authorId', 'bucket'], clustering: ['commentId'] },
);

/** An article as it is stored. */
export type ArticleRow = Row<typeof articles>;

/** A comment as it is stored. */
export type CommentRow = Row<typeof comments>;
