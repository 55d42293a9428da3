import { id, int } from '../kit/cassandra/column';
import { table } from '../kit/cassandra/table';
import { tweetColumns } from '../tweet/tweet.table';

/** What the followed posted, newest first; a partition is a month. Authors above the push limit are not in it. */
export const timelinesByUser = table(
  'timelines_by_user',
  { userId: id, bucket: int, ...tweetColumns },
  { partition: ['userId', 'bucket'], clustering: ['tweetId'] },
);
