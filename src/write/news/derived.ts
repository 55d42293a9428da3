import type { AnyTable } from '../../kit/cassandra/table';
import { readMany } from '../../kit/reads/load';
import {
  articlesByUser,
  authorCommentsByArticle,
  commentsByArticle,
  commentsByAuthor,
} from '../../features/news/news.lists';
import { articlesByDay, commentsByDay } from '../../features/news/news-days.lists';
import { articles, comments } from '../../features/news/news.table';
import {
  joinProperties,
  writesWithBuckets,
  type DerivationSource,
  type DerivedTable,
} from '../derived-table';
import { commentCount } from './add-comment';
import { copiedArticles, copiedUsers } from './copied';
import { buildArticleRows, commentOfDay, buildCommentRows } from './news-rows';

/** The articles. The source key is the article id. */
export const articleSource: DerivationSource = {
  table: articles,
  keyOf: (key) => joinProperties(key, 'articleId'),
  async *writesOf({ database }, sourceKeys) {
    const keys = sourceKeys.map((articleId) => ({ articleId }));
    const found = (await readMany(database, articles.get, keys)).flatMap((article) => article ?? []);
    const authors = await copiedUsers(
      database,
      found.map(({ authorId }) => authorId),
    );
    yield found.flatMap((article, index) => {
      const author = authors[index];
      return author == null ? [] : buildArticleRows(article, author);
    });
  },
};

/** The comments. The source key is the comment id. */
export const commentSource: DerivationSource = {
  table: comments,
  keyOf: (key) => joinProperties(key, 'commentId'),
  async *writesOf({ database }, sourceKeys) {
    const keys = sourceKeys.map((commentId) => ({ commentId }));
    const found = (await readMany(database, comments.get, keys)).flatMap((comment) => comment ?? []);
    const [authors, about] = await Promise.all([
      copiedUsers(
        database,
        found.map(({ authorId }) => authorId),
      ),
      copiedArticles(
        database,
        found.map(({ articleId }) => articleId),
      ),
    ]);
    yield found.flatMap((comment, index) => {
      const [author, article] = [authors[index], about[index]];
      if (author == null || article == null) return [];
      return [
        ...buildCommentRows(comment, article.authorId),
        ...writesWithBuckets(commentOfDay(comment, article, author)),
      ];
    });
  },
};

function articleList(table: AnyTable): DerivedTable {
  return { table, sources: [articleSource], sourceKeyOf: (row) => joinProperties(row, 'articleId') };
}

function commentList(table: AnyTable): DerivedTable {
  return { table, sources: [commentSource], sourceKeyOf: (row) => joinProperties(row, 'commentId') };
}

/** The lists of articles and comments, and the number of comments of each article. */
export const newsTables: readonly DerivedTable[] = [
  ...[articlesByDay, articlesByUser].map(articleList),
  ...[commentsByArticle, authorCommentsByArticle, commentsByAuthor].map(commentList),
  { ...commentList(commentsByDay), hasBuckets: true },
  commentCount.derived,
];
