import { connectionTypes } from '../../kit/lists/connection-field';
import { node } from '../../kit/lists/node';
import { hidingOf } from '../hidden/hiding';
import { articles, comments } from './news.table';
import { Article, Comment } from './news.type';

/** Articles, as lists belong to them and show them. A page of the longest texts would have 10 MB. */
export const article = node(articles, {
  name: 'Article',
  type: () => Article,
  onDemand: 'body',
  madeBy: ({ authorId }) => authorId,
  hiding: hidingOf(({ authorId }) => ({ kind: 'article', authorId })),
});

/** Comments, as lists show them. A page of the longest texts would have 5 MB. */
export const comment = node(comments, {
  name: 'Comment',
  type: () => Comment,
  onDemand: 'body',
  madeBy: ({ authorId }) => authorId,
  hiding: hidingOf(({ authorId }) => ({ kind: 'comment', authorId })),
});

/** The type of connections whose items are articles. */
export const { connection: ArticleConnection } = connectionTypes(article);

/** The type of connections whose items are comments. */
export const { connection: CommentConnection } = connectionTypes(comment);
