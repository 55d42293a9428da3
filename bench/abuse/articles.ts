import { leastIdAt } from '../../src/kit/base/snowflake';
import type { Database } from '../../src/kit/cassandra/database';
import { createBulkWriter } from '../../src/kit/writes/bulk';
import { putAll } from '../../src/kit/writes/row-writer';
import { writeOf } from '../../src/kit/cassandra/write';
import { nameDay } from '../../src/kit/lists/day-list';
import { encodeCursor } from '../../src/kit/lists/cursor';
import { articlesByDay } from '../../src/features/news/news-days.lists';
import { articles, MAX_BODY_BYTES } from '../../src/features/news/news.table';
import { buildArticleRows } from '../../src/write/news/news-rows';
import { graphql } from './send';
import { attack, dearest, type Attack, type Target } from './target';

const ARTICLES = 200;
const PAGES = 100;
const PAGE = 100;

const dayOf = ({ end }: Pick<Target, 'end'>) => end.toISOString().slice(0, 10);
const idOf = ({ end }: Pick<Target, 'end'>, n: number) =>
  leastIdAt(new Date(Date.parse(`${dayOf({ end })}T00:00:00Z`) + n));

/** Stores as many of the longest articles as one account publishes in ten seconds. */
export async function storeLongArticles(database: Database, authorId: string, end: Date): Promise<void> {
  const author = { userId: authorId, name: 'author', description: null, at: 1 };
  const body = 'x'.repeat(MAX_BODY_BYTES);
  const rows = Array.from({ length: ARTICLES }, (_, n) => {
    const articleId = idOf({ end }, n);
    return { articleId, authorId, title: `article ${n}`, body, tags: [], publishedAt: end };
  });
  await putAll(
    createBulkWriter(database)(),
    rows.flatMap((row) => [writeOf(articles, row), ...buildArticleRows(row, author)]),
  );
}

/** The pages of the day, each from another article on, so that no two are one read. */
function pages(target: Target, count: number, selection: string): string {
  const day = dayOf(target);
  const page = (n: number) =>
    `articlesOfDay(day: "${day}", first: ${PAGE}, after: "${encodeCursor(`${articlesByDay.name} ${nameDay(target.end)}`, { bucket: 0, key: [idOf(target, ARTICLES - n)] })}") { ${selection} }`;
  return graphql(`{ ${Array.from({ length: count }, (_, n) => `a${n}: ${page(n)}`).join(' ')} }`);
}

/** Queries that ask for many long texts. */
export const articleAttacks: readonly Attack[] = [
  attack('100 pages of long articles, without their texts', (target) => ({
    body: pages(target, PAGES, 'pageInfo { hasNextPage }'),
  })),
  attack('100 pages of long articles', (target) => ({ body: pages(target, PAGES, 'nodes { body }') })),
  dearest('pages of long articles, as many as pass', PAGES, (n, target) => ({
    body: pages(target, n, 'nodes { body }'),
  })),
];
