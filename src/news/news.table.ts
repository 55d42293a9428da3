import { day, id, int, large, optional, shared, text, texts, timestamp } from '../kit/cassandra/column';
import { listTable, type Row, table } from '../kit/cassandra/table';
import { MAX_DESCRIPTION_BYTES, MAX_NAME_BYTES } from '../user/user.table';

/** The greatest size of the text of an article in bytes. */
export const MAX_BODY_BYTES = 100_000;
/** The greatest size of the title of an article in bytes. */
export const MAX_TITLE_BYTES = 4000;
/** The most tags of an article. */
export const MAX_TAGS = 20;
/** The greatest size of a tag in bytes. */
export const MAX_TAG_BYTES = 1000;
/** The greatest size of the text of a comment in bytes: it has at most 15,000 characters. */
const MAX_COMMENT_BYTES = 45_000;

const title = large(text, MAX_TITLE_BYTES);
const authorName = large(text, MAX_NAME_BYTES);
const authorDescription = shared(optional(large(text, MAX_DESCRIPTION_BYTES)));

const articleColumns = {
  articleId: id,
  authorId: id,
  title,
  body: large(text, MAX_BODY_BYTES),
  tags: large(texts, MAX_TAGS * MAX_TAG_BYTES),
  publishedAt: timestamp,
};
const { body: _articleBody, ...articleHeadColumns } = articleColumns;

const commentColumns = {
  commentId: id,
  articleId: id,
  authorId: id,
  body: large(text, MAX_COMMENT_BYTES),
  createdAt: timestamp,
};
const { body: _commentBody, ...commentHeadColumns } = commentColumns;

/** After how many rows a partition of articles is full: 20 MB of the longest ones, some 1 MB of usual ones. */
const FULL_ROWS_OF_ARTICLES = 200;
/** The same for comments: 90 MB of the longest, some 600 kB of usual ones. */
const FULL_ROWS_OF_COMMENTS = 2000;

/** An article, by id. */
export const articles = table('articles', articleColumns, { partition: ['articleId'] });

/** The same without their texts. Reads of articles leave the texts out unless a query asks for them. */
export const articleHeads = table('articles', articleHeadColumns, { partition: ['articleId'] });

const ofDay = { partition: ['day'], clustering: ['articleId'] } as const;

/** A day's articles, newest first, with their authors' names. */
export const articlesByDay = table('articles_by_day', { day, authorName, ...articleColumns }, ofDay);

/** The same without their texts. */
export const articleHeadsByDay = table('articles_by_day', { day, authorName, ...articleHeadColumns }, ofDay);

const ofUser = {
  owner: 'authorId',
  clustering: ['articleId'],
  fullRows: FULL_ROWS_OF_ARTICLES,
} as const;

/** A user's articles, newest first. Each partition has the user's name and description as static columns. */
export const articlesByUser = listTable(
  'articles_by_user',
  { authorName: shared(authorName), authorDescription, ...articleColumns },
  ofUser,
);

/** The same without their texts. */
export const articleHeadsByUser = listTable(
  'articles_by_user',
  { authorName: shared(authorName), authorDescription, ...articleHeadColumns },
  ofUser,
);

/** How many comments an article has. */
export const articleCounts = table(
  'article_counts',
  { articleId: id, comments: int },
  { partition: ['articleId'] },
);

/** A comment, by id. */
export const comments = table('comments', commentColumns, { partition: ['commentId'] });

/** The same without its text. */
export const commentHeads = table('comments', commentHeadColumns, { partition: ['commentId'] });

const ofArticle = {
  owner: 'articleId',
  clustering: ['commentId'],
  fullRows: FULL_ROWS_OF_COMMENTS,
} as const;

/** An article's comments, newest first. */
export const commentsByArticle = listTable('comments_by_article', commentColumns, ofArticle);

/** The same without their texts. */
export const commentHeadsByArticle = listTable('comments_by_article', commentHeadColumns, ofArticle);

/** The comments that an article's own author wrote, newest first. */
export const authorCommentsByArticle = listTable('author_comments_by_article', commentColumns, ofArticle);

/** The same without their texts. */
export const authorCommentHeadsByArticle = listTable(
  'author_comments_by_article',
  commentHeadColumns,
  ofArticle,
);

const ofBucket = { partition: ['bucket'], clustering: ['commentId'] } as const;

/** A day's comments, newest first, with the titles of their articles and the names of their authors. */
export const commentsByDay = table(
  'comments_by_day',
  { bucket: int, articleTitle: title, authorName, ...commentColumns },
  ofBucket,
);

/** The same without their texts. */
export const commentHeadsByDay = table(
  'comments_by_day',
  { bucket: int, articleTitle: title, authorName, ...commentHeadColumns },
  ofBucket,
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

/** An article without its text. */
export type ArticleHead = Row<typeof articleHeads>;

/** A comment without its text. */
export type CommentHead = Row<typeof commentHeads>;
