import { id, int, optional, text } from '../kit/cassandra/column';
import { table } from '../kit/cassandra/table';
import { tweetColumns } from '../tweet/tweet.table';

/**
 * The tweets pushed to a user's timeline, newest first; a partition is a month or a shard of one. Tweets that were pushed
 * before their author was pulled stay in it, but are not shown.
 */
export const timelinesByUser = table(
  'timelines_by_user',
  { userId: id, bucket: int, ...tweetColumns },
  { partition: ['userId', 'bucket'], clustering: ['tweetId'] },
);

/** Whether the tweets of an author are pushed or pulled; see `Mode`. */
export const fanoutModes = table(
  'fanout_modes',
  { authorId: id, mode: optional(text), turn: optional(int) },
  { partition: ['authorId'] },
);
