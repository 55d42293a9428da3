import { idOf } from '../../kit/cassandra/column';
import { table } from '../../kit/cassandra/table';

/** The share id of a row that is a like. */
export const LIKED = '0';

/** The tweets that a user likes or shares, by tweet: one partition tells it of all tweets of a page. */
export const engagementsByUser = table(
  'engagements_by_user',
  { userId: idOf('User'), tweetId: idOf('Tweet'), shareId: idOf('Tweet') },
  {
    writeLoad: { rows: { like: 1, share: 1 }, bytes: 25, spread: { over: 'people' } },
    partition: ['userId'],
    clustering: ['tweetId', 'shareId'],
    order: 'asc',
  },
);
