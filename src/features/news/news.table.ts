import { idOf, int, text, texts, timestamp } from '../../kit/cassandra/column';
import { type Row, table, without } from '../../kit/cassandra/table';
import { MAX_NAME_BYTES } from '../user/user.table';

/** The greatest size of the text of an article in bytes. */
export const MAX_BODY_BYTES = 100_000;
/** The greatest size of the title of an article in bytes. */
export const MAX_TITLE_BYTES = 4000;
/** The most tags of an article. */
export const MAX_TAGS = 20;
/** The greatest size of a tag in bytes. */
export const MAX_TAG_BYTES = 1000;
/** The greatest size of the text of a comment in bytes: it has at most 15,000 characters. */
export const MAX_COMMENT_BYTES = 45_000;

/** The title of an article, or a copy of it. */
export const title = text(MAX_TITLE_BYTES);
/** A copy of the name of an author. */
export const authorName = text(MAX_NAME_BYTES);

/** The columns of an article without its text. */
export const headColumns = {
  articleId: idOf('Article'),
  authorId: idOf('User'),
  title,
  tags: texts(MAX_TAGS * MAX_TAG_BYTES),
  publishedAt: timestamp,
};
const articleColumns = { ...headColumns, body: text(MAX_BODY_BYTES) };

/** The columns of a comment. */
export const commentColumns = {
  commentId: idOf('Comment'),
  articleId: idOf('Article'),
  authorId: idOf('User'),
  body: text(MAX_COMMENT_BYTES),
  createdAt: timestamp,
};

/** An article, by id. */
export const articles = table('articles', articleColumns, {
  role: { kind: 'truth', why: 'it says what was published' },
  writeLoad: { rows: { article: 1 }, bytes: 3000, spread: { over: 'acts' } },
  partition: ['articleId'],
});

/** The same without their texts. */
export const articleHeads = without(articles, 'body');

/** How many comments an article has. */
export const articleCounts = table(
  'article_counts',
  { articleId: idOf('Article'), comments: int },
  { writeLoad: { rows: { comment: 1 }, bytes: 20, spread: { over: 'subjects' } }, partition: ['articleId'] },
);

/** A comment, by id. */
export const comments = table('comments', commentColumns, {
  role: { kind: 'truth', why: 'it says what was written about articles' },
  writeLoad: { rows: { comment: 1 }, bytes: 400, spread: { over: 'acts' } },
  partition: ['commentId'],
});

/** An article as it is stored. */
export type ArticleRow = Row<typeof articles>;

/** A comment as it is stored. */
export type CommentRow = Row<typeof comments>;
