import type { Feature } from '../feature';
import { seeWriting, shownBy, type HidingContext } from '../hidden/hiding';
import { articlesByUser, authorCommentsByArticle, commentsByArticle, commentsByAuthor } from './news.lists';
import { articlesByDay, commentsByDay } from './news-days.lists';
import { articleCounts, articles, comments } from './news.table';
import { ArticleResolver } from './article.resolver';
import { CommentResolver } from './comment.resolver';
import { newsConnections } from './news.lists';
import { article, comment } from './news.node';

interface Written {
  readonly authorId: string;
}

/** News: tables, resolvers and node types. */
export const newsFeature: Feature = {
  title: 'News',
  tables: [
    articles,
    articlesByDay,
    articlesByUser,
    articleCounts,
    comments,
    commentsByArticle,
    authorCommentsByArticle,
    commentsByDay,
    commentsByAuthor,
  ],
  connections: newsConnections,
  resolvers: [ArticleResolver, CommentResolver],
  nodeTypes: {
    Article: {
      key: 'articleId',
      reads: [article.sized],
      load: article.findShown,
      shown: shownBy((context: HidingContext, row: Written) => seeWriting(context, 'article', row)),
    },
    Comment: {
      key: 'commentId',
      reads: [comment.sized],
      load: comment.findShown,
      shown: shownBy((context: HidingContext, row: Written) => seeWriting(context, 'comment', row)),
    },
  },
};
