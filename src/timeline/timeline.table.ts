import { flag, id, int, optional, shared, text, timestamp } from '../kit/cassandra/column';
import { listTable, table } from '../kit/cassandra/table';
import { tweetColumns } from '../tweet/tweet.table';

/**
 * The tweets pushed to a user's timeline, newest first. Tweets that were pushed before their author was pulled stay in it, but
 * are not shown. `isMerged`: whether `pulled_by_user` may have rows of the user, set in bucket 0.
 */
export const timelinesByUser = listTable(
  'timelines_by_user',
  { userId: id, isMerged: shared(optional(flag)), ...tweetColumns },
  { owner: 'userId', clustering: ['tweetId'] },
);

/** The same, for a page that is read again, because `load` reads the same page of one table only once. */
export const timelinesReadAgain = { ...timelinesByUser, slice: { ...timelinesByUser.slice } };

/** Whether the tweets of an author are pushed or pulled; see `Mode`. */
export const fanoutModes = table(
  'fanout_modes',
  { authorId: id, mode: optional(text), version: optional(int), shedUntil: optional(timestamp) },
  { partition: ['authorId'] },
);
