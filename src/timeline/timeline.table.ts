import { id, int, optional, text } from '../kit/cassandra/column';
import { table } from '../kit/cassandra/table';
import { tweetColumns } from '../tweet/tweet.table';

/** What the followed posted, newest first; a partition is a month or a part of one. What authors above the push limit left in it is not shown. */
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
