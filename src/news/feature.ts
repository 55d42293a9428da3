import type { Feature } from '../feature';
import {
  articleCounts,
  articles,
  articlesByDay,
  articlesByUser,
  authorCommentsByArticle,
  comments,
  commentsByArticle,
  commentsByAuthor,
  commentsByDay,
} from './news.table';
import { ArticleResolver, UserArticlesResolver } from './article.resolver';
import { ArticleCommentsResolver, CommentResolver } from './comment.resolver';

/** News: tables, resolvers and node types. */
export const news: Feature = {
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
  resolvers: [ArticleResolver, UserArticlesResolver, ArticleCommentsResolver, CommentResolver],
  nodeTypes: {
    Article: {
      key: 'articleId',
      reads: [articles],
      load: (load, articleId) => load(articles.get, { articleId }),
    },
    Comment: {
      key: 'commentId',
      reads: [comments],
      load: (load, commentId) => load(comments.get, { commentId }),
    },
  },
};
