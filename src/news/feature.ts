import type { Feature } from '../feature';
import { bySelection } from '../kit/cost/reads';
import {
  articleCounts,
  articleHeads,
  articles,
  articlesByDay,
  articlesByUser,
  authorCommentsByArticle,
  commentHeads,
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
      reads: [bySelection(['Article', 'body'], articles, articleHeads)],
      load: (load, articleId, selects) =>
        selects('body') ? load(articles.get, { articleId }) : load(articleHeads.get, { articleId }),
    },
    Comment: {
      key: 'commentId',
      reads: [bySelection(['Comment', 'body'], comments, commentHeads)],
      load: (load, commentId, selects) =>
        selects('body') ? load(comments.get, { commentId }) : load(commentHeads.get, { commentId }),
    },
  },
};
