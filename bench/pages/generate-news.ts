import type { News } from '../../src/import/store/news';
import { snowflakeAt } from '../../src/kit/base/snowflake';
import type { ArticleRow, CommentRow } from '../../src/features/news/news.table';
import { words } from '../network';
import { drawPareto } from './generate';

const DAY = 86_400_000;

/** One in this many people publishes articles. */
const WRITER_ONE_IN = 5;
/** The median of the articles of someone who publishes, and the most. */
const MEDIAN_ARTICLES = 4;
const MAX_ARTICLES = 80;
/** The median of the comments on an article, and the most. */
const MEDIAN_COMMENTS = 4;
const MAX_COMMENTS = 150;
/** How long ago the first articles were published. */
const DAYS = 365;

/** Generates articles of the last year by some of the users, and comments, every fourth by the author of the article. */
export function generatePeoplesNews(userIds: readonly string[], end: Date, random: () => number): News {
  const writers = userIds.filter((_, n) => n % WRITER_ONE_IN === 0);
  const articles = writers.flatMap((authorId, writer) => {
    const count = Math.min(MAX_ARTICLES, Math.floor(drawPareto(random, MEDIAN_ARTICLES, 1.2)));
    return Array.from({ length: count }, (_, n): ArticleRow => {
      const publishedAt = momentAfter(Number(end) - DAYS * DAY, end, random);
      return {
        articleId: idAt(publishedAt, writer * MAX_ARTICLES + n),
        authorId,
        title: words(random),
        body: Array.from({ length: 20 }, () => words(random)).join(' '),
        tags: [],
        publishedAt,
      };
    });
  });
  const comments = articles.flatMap(({ articleId, authorId, publishedAt }, article) => {
    const count = Math.min(MAX_COMMENTS, Math.floor(drawPareto(random, MEDIAN_COMMENTS, 1.2)));
    return Array.from({ length: count }, (_, n): CommentRow => {
      const createdAt = momentAfter(Number(publishedAt), end, random);
      const reader = userIds[Math.floor(random() * userIds.length)] ?? authorId;
      return {
        commentId: idAt(createdAt, article * MAX_COMMENTS + n),
        articleId,
        authorId: n % 4 === 0 ? authorId : reader,
        body: words(random),
        createdAt,
      };
    });
  });
  return { articles, comments };
}

/** A moment between two, more often soon after the first. */
function momentAfter(start: number, end: Date, random: () => number): Date {
  return new Date(start + 1 + Math.floor(random() ** 2 * (Number(end) - start - 1)));
}

function idAt(moment: Date, n: number): string {
  return snowflakeAt(moment, BigInt(n % 4_000_000)) ?? '';
}
