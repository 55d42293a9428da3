import { relationTo } from '../follow/relation';
import type { LateArrival } from '../../kit/subscriptions/late-arrivals';
import { watch } from '../../kit/subscriptions/watch';
import { type WatchedList, type NewNode } from '../../kit/subscriptions/watched-list';
import { newestRows } from '../../kit/lists/bucket-list';
import { showItems } from '../../kit/lists/list';
import { openTimeline } from '../timeline/timeline';
import { timelinesByUser } from '../timeline/timeline.lists';
import { tweetPosition } from '../tweet/tweet.lists';
import { tweet } from '../tweet/tweet.node';
import { requireViewer } from '../viewer/viewer';
import {
  exceptHidden,
  lateTweets,
  ifAllShown,
  signalledTweet,
  tweetsOfAuthor,
  type LiveTweetsContext,
  type LiveReads,
  type TweetRow,
} from './live-tweets';
import { authorTopic, lateTopic, timelineTopic } from './topics';

/** The new tweets of the caller's home timeline. Throws `UNAUTHENTICATED` without a user. */
export async function timelineTweets(
  { live, viewer, timelineSince, mergedTimelines }: LiveTweetsContext,
  after: string | null,
): Promise<AsyncIterable<NewNode<TweetRow>>> {
  const userId = await requireViewer(viewer);
  // The caller may have unfollowed the author since the tweet came.
  const isFollowed = async ({ authorId }: TweetRow, load: LiveReads['load']) =>
    (await relationTo(load, userId, authorId)).follows;
  const watched: WatchedList<TweetRow, TweetRow, LiveReads> = {
    open({ load }) {
      let pulled: readonly string[] = [];
      const list = openTimeline(load, userId, timelineSince, mergedTimelines, (authorIds) => {
        pulled = authorIds;
      });
      return {
        list: showItems({ load }, list, tweet, null).list,
        nodeOf: (row) => row,
        topics: () => pulled.map(authorTopic),
      };
    },
    async newest(load, limit) {
      // Tweets of other lists belong to a merged timeline.
      if (mergedTimelines.has(userId)) return undefined;
      const newest = await newestRows(load, timelinesByUser, { userId }, limit);
      return newest?.statics?.isMerged === true ? undefined : ifAllShown(load, newest?.rows);
    },
    topics: [timelineTopic(userId)],
    nodeOf: (load, tweetId) => signalledTweet(load, tweetId, (tweet) => isFollowed(tweet, load)),
    late: {
      owner: userId,
      list: timelinesByUser.name,
      topic: lateTopic(userId),
      keyOf: tweetPosition,
      async *nodesOf(reading, arrivals) {
        const isTweet = ({ kind }: LateArrival) => kind === 'row';
        yield* lateTweets(reading, arrivals.filter(isTweet), isFollowed);
        for (const { item } of arrivals.filter((arrival) => !isTweet(arrival))) {
          // The caller has followed an author, and may have unfollowed the author since.
          const relation = await reading.readRows((load) => relationTo(load, userId, item));
          // Without a cursor, what a follow of before the subscription brings is not what comes from then on.
          const isEarlier = after === null && Number(relation.since) < live.receivedAt;
          if (relation.follows && !isEarlier) yield* tweetsOfAuthor(reading, item, timelineSince);
        }
      },
    },
  };
  return exceptHidden(live, viewer, watch(live, watched, after), 'TIMELINE');
}
