import { putAll } from '../../kit/writes/row-writer';
import { unavailable } from '../../kit/base/errors';
import { claimKey } from '../../kit/writes/idempotency';
import { createLoad } from '../../kit/reads/load';
import { shortTask, type DeclaredHandler } from '../../kit/work/handler';
import { timeOfId } from '../../kit/base/snowflake';
import { writeOf } from '../../kit/cassandra/write';
import type { WriteServices } from '../write-services';
import { copiedUsers } from './copied';
import { type ArticleRow, articles } from '../../features/news/news.table';
import { buildArticleRows } from './news-rows';

/** A new article without its id, author and time. */
type Draft = Pick<ArticleRow, 'title' | 'body' | 'tags'>;

/**
 * Publishes an article. It is in all lists when this resolves. With the key of an earlier call, returns the article of that call. Throws
 * `CONFLICT` if the key came with other content before.
 */
export async function publishArticle(
  writeServices: WriteServices,
  authorId: string,
  key: string | null,
  draft: Draft,
): Promise<ArticleRow> {
  const { database, outbox, worker } = writeServices;
  const fresh = worker.nextId();
  const articleId = key === null ? fresh : await claimKey(database, authorId, key, draft, fresh);
  const before = articleId === fresh ? null : await createLoad(database)(articles.get, { articleId });
  const article = before ?? { ...draft, articleId, authorId, publishedAt: timeOfId(articleId) };
  await outbox.enqueueAndRun('article', { articleId, authorId }, () => store(writeServices, article));
  return article;
}

/**
 * Stores an article, then its rows in lists, which copy the author's name. If the name changes meanwhile, either the update
 * of copies finds these rows, or this writes them again.
 */
async function store(writeServices: WriteServices, article: ArticleRow): Promise<void> {
  const { query, params } = writeOf(articles, article);
  await writeServices.database.write(query, params);
  for (let before: number | undefined; ;) {
    const [author] = await copiedUsers(writeServices.database, [article.authorId]);
    if (author == null) throw unavailable(new Error(`user ${article.authorId} is not there`));
    if (author.at === before) return;
    // The rows are written one after another: updates of copies find the row of the day by that of the user, so it must be there.
    for (const row of buildArticleRows(article, author)) await putAll(writeServices.bulk(), [row]);
    before = author.at;
  }
}

/** About how many rows a publication reads and writes. */
const ROWS_OF_ARTICLE = 10;

/** Completes a publication that was interrupted. */
export function articleHandler(writeServices: WriteServices): DeclaredHandler {
  return shortTask(
    { rows: ROWS_OF_ARTICLE, person: ({ authorId }) => authorId },
    async ({ articleId = '' }) => {
      const article = await createLoad(writeServices.database)(articles.get, { articleId });
      if (article) await store(writeServices, article);
    },
  );
}
