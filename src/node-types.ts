import type { NodeTypes } from './kit/relay/node-resolver';
import { articles, comments } from './news/news.table';
import { deletedTweets, tweets } from './tweet/tweet.table';
import { tweetById } from './tweet/visible';
import { users } from './user/user.table';

/** What has a global id. */
export const nodeTypes: NodeTypes = {
  User: { key: 'userId', reads: [users], load: (load, userId) => load(users.get, { userId }) },
  Tweet: {
    key: 'tweetId',
    reads: [tweets, deletedTweets],
    load: (load, tweetId) => tweetById(load, tweetId),
  },
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
};
