import type { Write } from '../../src/kit/cassandra/database';
import { buckets } from '../../src/kit/lists/buckets';
import { leastIdAt } from '../../src/kit/base/snowflake';
import { writeOf } from '../../src/kit/cassandra/write';
import { articleCounts, articles, comments } from '../../src/features/news/news.table';
import { buildArticleRows, commentOfDay, buildCommentRows } from '../../src/write/news/news-rows';
import { everyone, listBuckets, MANY, NESTED, PEOPLE, userOf } from './seed';

/** The id of the kth article or comment, of those that a user has in a month. */
export const newsId = (month: Date, user: number, k: number) =>
  String(BigInt(leastIdAt(new Date(Number(month) + k * 1000))) + BigInt(user));

export const newest = listBuckets.at(-1) ?? new Date(0);

/** The comments on the first article in the newest month that are not its author's: each by somebody else. */
export const firstComments: string[] = [];

/** Everybody's articles of both months, with comments in both, of which each other one is by the author. */
function rowsOfNews(): Write[] {
  const countOf = (isFirst: boolean) => (isFirst ? MANY + 2 : NESTED + 2);
  const copied = (userId: string) => ({ userId, name: 'Name', description: null, at: 1 });
  let number = 0;
  return listBuckets.flatMap((published) =>
    everyone.flatMap((user) =>
      Array.from({ length: countOf(user === 0) }, (_, k) => {
        const articleId = newsId(published, user, k);
        const publishedAt = new Date(Number(published) + k * 1000);
        const authorId = userOf(user);
        const article = { articleId, authorId, title: 'Title', body: '', tags: [], publishedAt };
        const isFirst = user === 0 && k === 0 && published === newest;
        const said = listBuckets.flatMap((month) =>
          Array.from({ length: 2 * countOf(isFirst) }, (__, c) => {
            const createdAt = new Date(Number(month) + 60_000 + number);
            const commentId = leastIdAt(createdAt);
            number++;
            const by = c % 2 === 0 ? authorId : userOf((user + c) % PEOPLE);
            if (isFirst && month === newest && c % 2 === 1) firstComments.push(commentId);
            return { commentId, articleId, authorId: by, body: '', createdAt };
          }),
        );
        const days = said.map((comment) =>
          commentOfDay(comment, { ...article, at: 1 }, copied(comment.authorId)),
        );
        return [
          writeOf(articles, article),
          writeOf(articleCounts, { articleId, comments: said.length }),
          ...said.map((comment) => writeOf(comments, comment)),
          ...buildArticleRows(article, copied(authorId)),
          ...said.flatMap((comment) => buildCommentRows(comment, authorId)),
          ...days.flatMap(({ writes }) => writes),
          ...days.flatMap((list) => list.listBuckets.map((month) => writeOf(buckets, month))),
        ];
      }).flat(),
    ),
  );
}

/** The news as rows: by mutations it would take minutes. */
export const news = rowsOfNews();
