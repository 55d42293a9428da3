import { buckets, EVERYBODY } from '../../src/kit/lists/buckets';
import { nameDay } from '../../src/kit/lists/day-list';
import { leastIdAt } from '../../src/kit/base/snowflake';
import { removalOf, writeOf } from '../../src/kit/cassandra/write';
import { articlesByDay, commentsByDay } from '../../src/features/news/news-days.lists';
import { date, day, idOf, momentOf, ofQuery, OWNER, type Listed } from './items';
import { ARTICLE } from './stored-lists';

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

const ofDay = { day: nameDay(new Date(day.day)) };

/** The articles of a day, and the comments of a period. */
export const newsLists: readonly Listed[] = [
  {
    field: 'Query.articlesOfDay',
    ask: ofQuery(`articlesOfDay(day: "${day.day}", PAGE)`, 'publishedAt'),
    forwardsOnly: true,
    put: (n) => [writeOf(articlesByDay, { ...article(n), ...ofDay, authorName: '' })],
    remove: (n) => [removalOf(articlesByDay, { ...ofDay, articleId: idOf(n) })],
  },
  {
    field: 'Query.comments',
    ask: ofQuery('comments(from: "2025-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z", PAGE)', 'createdAt'),
    forwardsOnly: true,
    put: (n) => [
      writeOf(commentsByDay, {
        ...comment(n),
        ...commentsByDay.dayFor(comment(n)),
        articleTitle: '',
        authorName: '',
      }),
      writeOf(buckets, { owner: EVERYBODY, list: commentsByDay.name, ...date(n) }),
    ],
    remove: (n) => [removalOf(commentsByDay, { ...comment(n), ...commentsByDay.dayFor(comment(n)) })],
  },
];
