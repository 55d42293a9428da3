import { idOf, optional, staticColumn, text } from '../../kit/cassandra/column';
import { connection } from '../../kit/lists/connection-field';
import { list } from '../../kit/lists/list';
import { ref } from '../../kit/lists/node';
import { user } from '../user/user.node';
import { MAX_DESCRIPTION_BYTES } from '../user/user.table';
import { article, comment } from './news.node';
import { authorName } from './news.table';

/** After how many rows a partition of articles is full: 20 MB of the longest ones, some 1 MB of usual ones. */
const FULL_ROWS_OF_ARTICLES = 200;
/** The same for comments: 90 MB of the longest, some 600 kB of usual ones. */
const FULL_ROWS_OF_COMMENTS = 2000;

/** A user's articles, newest first. Each partition has the user's name and description as static columns. */
export const articlesByUser = list('articles_by_user', {
  writeLoad: { rows: { article: 1 }, bytes: 3000, spread: { over: 'people' } },
  owner: { authorId: ref(user) },
  order: { articleId: idOf('Article') },
  also: {
    authorName: staticColumn(authorName),
    authorDescription: staticColumn(optional(text(MAX_DESCRIPTION_BYTES))),
  },
  holds: article,
  fullRows: FULL_ROWS_OF_ARTICLES,
});

/** An article's comments, newest first. */
export const commentsByArticle = list('comments_by_article', {
  writeLoad: { rows: { comment: 1 }, bytes: 400, spread: { over: 'subjects' } },
  owner: { articleId: ref(article) },
  order: { commentId: idOf('Comment') },
  holds: comment,
  fullRows: FULL_ROWS_OF_COMMENTS,
});

/** The comments that an article's own author wrote, newest first. */
export const authorCommentsByArticle = list('author_comments_by_article', {
  writeLoad: { rows: { comment: 0.05 }, bytes: 400, spread: { over: 'people' } },
  owner: { articleId: ref(article) },
  order: { commentId: idOf('Comment') },
  holds: comment,
  fullRows: FULL_ROWS_OF_COMMENTS,
});

/** The comments that a user wrote. */
export const commentsByAuthor = list('comments_by_author', {
  writeLoad: { rows: { comment: 1 }, bytes: 25, spread: { over: 'people' } },
  owner: { authorId: ref(user) },
  order: { commentId: ref(comment) },
});

/** The fields that show articles and comments. */
export const newsConnections = [
  connection(articlesByUser, 'articles', {
    description: 'The articles that the user published, newest first.',
    place: 'DIRECT',
  }),
  connection(commentsByArticle, 'comments', { description: 'The comments on the article, newest first.' }),
  connection(authorCommentsByArticle, 'authorComments', {
    description: 'The comments on the article by its own author, newest first.',
  }),
];
