import { putRows } from '../../kit/data/bulk';
import { unavailable } from '../../kit/base/errors';
import { claimKey } from '../../kit/data/idempotency';
import { createLoad } from '../../kit/data/load';
import type { Handler } from '../../kit/work/handler';
import { timeOfId } from '../../kit/work/worker';
import { writeOf } from '../../kit/data/write';
import type { WriteContext } from '../write-context';
import { copiedUsers } from './copied';
import { type ArticleRow, articles } from '../../news/news.table';
import { articleRowsOf } from './news-rows';

/** What a new article says. */
export type Draft = Pick<ArticleRow, 'title' | 'body' | 'tags'>;

/** Publishes an article: it stands in all lists when this resolves. With the key of an earlier call it is that call's article. */
export async function publish(
  writeContext: WriteContext,
  authorId: string,
  key: string | null,
  draft: Draft,
): Promise<ArticleRow> {
  const { database, outbox, worker } = writeContext;
  const fresh = worker.nextId();
  const articleId = key === null ? fresh : await claimKey(database, authorId, key, draft, fresh);
  const before = articleId === fresh ? null : await createLoad(database)(articles.get, { articleId });
  const article = before ?? { ...draft, articleId, authorId, publishedAt: timeOfId(articleId) };
  await outbox.enqueueAndRun('article', { articleId }, () => store(writeContext, article));
  return article;
}

/** Stores an article, the copies in its lists last: a name that changes meanwhile is found to be copied by whoever changes it. */
async function store(writeContext: WriteContext, article: ArticleRow): Promise<void> {
  const { query, params } = writeOf(articles, article);
  await writeContext.database.write(query, params);
  for (let before: number | undefined; ;) {
    const [author] = await copiedUsers(writeContext.database, [article.authorId]);
    if (author == null) throw unavailable(new Error(`user ${article.authorId} is not there`));
    if (author.at === before) return;
    await putRows(writeContext.bulk(), [articleRowsOf(article, author)]);
    before = author.at;
  }
}

/** Finishes what publishing began. */
export function articleHandler(writeContext: WriteContext): Handler {
  return async ({ articleId = '' }) => {
    const article = await createLoad(writeContext.database)(articles.get, { articleId });
    if (article) await store(writeContext, article);
  };
}
