import { day, id, int, optional, shared, text, texts, timestamp } from '../kit/cassandra/column';
import { listTable, type Row, table } from '../kit/cassandra/table';

const articleColumns = {
  articleId: id,
  authorId: id,
  title: text,
  body: text,
  tags: texts,
  publishedAt: timestamp,
};

const commentColumns = { commentId: id, articleId: id, authorId: id, body: text, createdAt: timestamp };

/** After how many rows a partition of articles is full: 40 MB of the longest ones, some 1 MB of usual ones. */
const FULL_ROWS_OF_ARTICLES = 200;
/** The same for comments: 40 MB of the longest, some 600 kB of usual ones. */
const FULL_ROWS_OF_COMMENTS = 2000;

/** An article, by id. */
export const articles = table('articles', articleColumns, { partition: ['articleId'] });

/** A day's articles, newest first, with their authors' names. */
export const articlesByDay = table(
  'articles_by_day',
  { day, authorName: text, ...articleColumns },
  { partition: ['day'], clustering: ['articleId'] },
);

/** A user's articles, newest first. Each partition has the user's name and description as static columns. */
export const articlesByUser = listTable(
  'articles_by_user',
  { authorName: shared(text), authorDescription: shared(optional(text)), ...articleColumns },
  { owner: 'authorId', clustering: ['articleId'], fullRows: FULL_ROWS_OF_ARTICLES },
);

/** How many comments an article has. */
export const articleCounts = table(
  'article_counts',
  { articleId: id, comments: int },
  { partition: ['articleId'] },
);

/** A comment, by id. */
export const comments = table('comments', commentColumns, { partition: ['commentId'] });

/** An article's comments, newest first. */
export const commentsByArticle = listTable('comments_by_article', commentColumns, {
  owner: 'articleId',
  clustering: ['commentId'],
  fullRows: FULL_ROWS_OF_COMMENTS,
});

/** The comments that an article's own author wrote, newest first. */
export const authorCommentsByArticle = listTable('author_comments_by_article', commentColumns, {
  owner: 'articleId',
  clustering: ['commentId'],
  fullRows: FULL_ROWS_OF_COMMENTS,
});

/** A day's comments, newest first, with the titles of their articles and the names of their authors. */
export const commentsByDay = table(
  'comments_by_day',
  { bucket: int, articleTitle: text, authorName: text, ...commentColumns },
  { partition: ['bucket'], clustering: ['commentId'] },
);

/** The comments that a user wrote. */
export const commentsByAuthor = listTable(
  'comments_by_author',
  { authorId: id, commentId: id },
  { owner: 'authorId', clustering: ['commentId'] },
);

/** An article as it is stored. */
export type ArticleRow = Row<typeof articles>;

/** A comment as it is stored. */
export type CommentRow = Row<typeof comments>;
