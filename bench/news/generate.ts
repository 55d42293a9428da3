import type { News } from '../../src/import/store/news';
import { snowflakeAt } from '../../src/kit/base/snowflake';
import type { ArticleRow, CommentRow } from '../../src/features/news/news.table';
import { randomFrom } from '../../src/kit/base/random';
import { words } from '../network';

const DAYS = 30;

const A_DAY = 10;

const COMMENTS = 60;

/**
 * Generates a month of news: ten articles a day, each by another author, and 60 comments in the minute after each article,
 * every other one by its author.
 */
export function generateNews(authors: readonly string[], readers: readonly string[]): News {
  const random = randomFrom(9);
  const articles = Array.from({ length: DAYS * A_DAY }, (_, n): ArticleRow => {
    const publishedAt = new Date(Date.UTC(2026, 9, 1 + Math.floor(n / A_DAY), 12, 2 * (n % A_DAY)));
    return {
      articleId: idAt(publishedAt, n),
      authorId: authors[n % A_DAY] ?? '',
      title: words(random),
      body: Array.from({ length: 20 }, () => words(random)).join(' '),
      tags: ['bench', words(random).slice(0, 5)],
      publishedAt,
    };
  });
  const comments = articles.flatMap(({ articleId, authorId, publishedAt }) =>
    Array.from({ length: COMMENTS }, (_, n): CommentRow => {
      const createdAt = new Date(Number(publishedAt) + 1 + n * 900);
      const reader = readers[Math.floor(random() * readers.length)] ?? '';
      return {
        commentId: idAt(createdAt, n),
        articleId,
        authorId: n % 2 === 0 ? authorId : reader,
        body: words(random),
        createdAt,
      };
    }),
  );
  return { articles, comments };
}

function idAt(moment: Date, n: number): string {
  return snowflakeAt(moment, BigInt(n)) ?? '';
}
