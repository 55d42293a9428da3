import { buckets, EVERYBODY } from '../../src/kit/data/buckets';
import { encodeNodeId } from '../../src/kit/relay/node';
import { leastIdAt } from '../../src/kit/base/snowflake';
import { removalOf, writeOf } from '../../src/kit/data/write';
import { articlesByUser, authorCommentsByArticle, commentsByArticle } from '../../src/news/news.lists';
import { articlesByDay, commentsByDay } from '../../src/news/news.table';
import { date, day, idOf, momentOf, ofQuery, ofUser, OWNER, type Listed } from './items';

/** The article that all comment on; its author is the owner of the other lists. */
export const ARTICLE = '901';

/** The nth article of the owner. */
export const article = (n: number) => ({
  articleId: idOf(n),
  authorId: OWNER,
  title: '',
  body: '',
  tags: [],
  publishedAt: momentOf(n),
});

/** A comment's id tells its moment. */
const commentId = (n: number) => leastIdAt(momentOf(n));

const comment = (n: number) => ({
  commentId: commentId(n),
  articleId: ARTICLE,
  authorId: OWNER,
  body: '',
  createdAt: momentOf(n),
});

const ofArticle = (field: string, list: typeof commentsByArticle): Listed => ({
  field: `Article.${field}`,
  ask: (page) =>
    ofUser(
      field,
      'createdAt',
    )(page).replace('user(username: "ada")', `user: article(id: "${encodeNodeId('Article', ARTICLE)}")`),
  put: (n) => [writeOf(list, comment(n))],
  remove: (n) => [removalOf(list, { articleId: ARTICLE, commentId: commentId(n) })],
});

/** The lists of articles and comments. */
export const newsLists: readonly Listed[] = [
  {
    field: 'User.articles',
    ask: ofUser('articles', 'publishedAt'),
    put: (n) => [writeOf(articlesByUser, { ...article(n), authorName: '' })],
    remove: (n) => [removalOf(articlesByUser, { authorId: OWNER, articleId: idOf(n) })],
  },
  {
    field: 'Query.articlesOfDay',
    ask: ofQuery(`articlesOfDay(day: "${day.day}", PAGE)`, 'publishedAt'),
    forwardsOnly: true,
    put: (n) => [writeOf(articlesByDay, { ...article(n), ...day, authorName: '' })],
    remove: (n) => [removalOf(articlesByDay, { ...day, articleId: idOf(n) })],
  },
  {
    field: 'Query.comments',
    ask: ofQuery('comments(from: "2025-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z", PAGE)', 'createdAt'),
    forwardsOnly: true,
    put: (n) => [
      writeOf(commentsByDay, { ...comment(n), ...date(n), articleTitle: '', authorName: '' }),
      writeOf(buckets, { owner: EVERYBODY, list: commentsByDay.name, ...date(n) }),
    ],
    remove: (n) => [removalOf(commentsByDay, { ...date(n), commentId: commentId(n) })],
  },
  ofArticle('comments', commentsByArticle),
  ofArticle('authorComments', authorCommentsByArticle),
];
