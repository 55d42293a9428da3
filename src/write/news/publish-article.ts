import { putRows } from '../../kit/bulk';
import { unavailable } from '../../kit/errors';
import { claimKey } from '../../kit/idempotency';
import { createLoad } from '../../kit/load';
import type { Handler } from '../../kit/outbox';
import { timeOfId } from '../../kit/worker';
import { writeOf } from '../../kit/write';
import type { Writing } from '../write-context';
import { copiedUsers } from './copied';
import { type ArticleRow, articles } from '../../news/news.table';
import { articleRowsOf } from './news-rows';

/** What a new article says. */
export type Draft = Pick<ArticleRow, 'title' | 'body' | 'tags'>;

/** Publishes an article: it stands in all lists when this resolves. With the key of an earlier call it is that call's article. */
export async function publish(
  writing: Writing,
  authorId: string,
  key: string | null,
  draft: Draft,
): Promise<ArticleRow> {
  const { database, outbox, worker } = writing;
  const fresh = worker.nextId();
  const articleId = key === null ? fresh : await claimKey(database, authorId, key, draft, fresh);
  const before = articleId === fresh ? null : await createLoad(database)(articles.get, { articleId });
  const article = before ?? { ...draft, articleId, authorId, publishedAt: timeOfId(articleId) };
  await outbox.cover('article', { articleId }, () => store(writing, article));
  return article;
}

/** Stores an article, the copies in its lists last: a name that changes meanwhile is found to be copied by whoever changes it. */
async function store(writing: Writing, article: ArticleRow): Promise<void> {
  const { query, params } = writeOf(articles, article);
  await writing.database.write(query, params);
  for (let before: number | undefined; ;) {
    const [author] = await copiedUsers(writing.database, [article.authorId]);
    if (author == null) throw unavailable(new Error(`user ${article.authorId} is not there`));
    if (author.at === before) return;
    await putRows(writing.bulk(), [articleRowsOf(article, author)]);
    before = author.at;
  }
}

/** Finishes what publishing began. */
export function articleHandler(writing: Writing): Handler {
  return async ({ articleId = '' }) => {
    const article = await createLoad(writing.database)(articles.get, { articleId });
    if (article) await store(writing, article);
  };
}
