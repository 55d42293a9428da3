import { flag, idOf, optional, staticColumn } from '../../kit/cassandra/column';
import { list } from '../../kit/lists/list';
import { ref } from '../../kit/lists/node';
import { tweet } from '../tweet/tweet.node';
import { user } from '../user/user.node';

/**
 * The tweets pushed to a user's timeline, newest first. Tweets that were pushed before their author was pulled stay in it, but
 * are not shown. `isMerged`: whether `pulled_by_user` may have rows of the user, set in bucket 0.
 */
export const timelinesByUser = list('timelines_by_user', {
  writeLoad: { rows: { push: 1 }, bytes: 200, spread: { over: 'people' } },
  owner: { userId: ref(user) },
  order: { tweetId: idOf('Tweet') },
  also: { isMerged: staticColumn(optional(flag)) },
  holds: tweet,
});

/** The same, for a page that is read again, because `load` reads the same page of one table only once. */
export const timelinesAfterMergedFlag = { ...timelinesByUser, slice: { ...timelinesByUser.slice } };
