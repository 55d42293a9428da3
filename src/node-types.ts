import type { NodeTypes } from './kit/relay/node-resolver';
import { articles, comments } from './news/news.table';
import { tweetById } from './tweet/visible';
import { users } from './user/user.table';

/** What has a global id. */
export const nodeTypes: NodeTypes = {
  User: { key: 'userId', load: (load, userId) => load(users.get, { userId }) },
  Tweet: { key: 'tweetId', load: (load, tweetId) => tweetById(load, tweetId) },
  Article: { key: 'articleId', load: (load, articleId) => load(articles.get, { articleId }) },
  Comment: { key: 'commentId', load: (load, commentId) => load(comments.get, { commentId }) },
};
