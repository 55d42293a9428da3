import { Alarm } from '../../kit/subscriptions/alarm';
import { idIn } from '../../kit/graphql/global-id';
import { tweetCounts } from '../tweet/tweet.table';
import { tweetById } from '../tweet/visible';
import { whyHiddenNow, type LiveTweetsContext, type TweetRow } from './live-tweets';
import { tweetTopic } from './topics';

/** A tweet whose counts have changed; null if it was deleted. */
export interface TweetAfterChange {
  readonly tweet: TweetRow | null;
}

/** Milliseconds between two events at least. */
const MIN_BETWEEN_MS = 1000;

/** Gives a tweet as it is now, then each time its counts have changed; null, and the end, when it is deleted or was never there. */
export async function tweetChanges(
  context: LiveTweetsContext,
  id: string,
): Promise<AsyncIterable<TweetAfterChange>> {
  // The viewer's id is read while the request may still read. Later, the id leads to what is hidden from the viewer.
  await context.viewer.userId();
  return changesOf(context, id);
}

async function* changesOf({ live, viewer }: LiveTweetsContext, id: string): AsyncGenerator<TweetAfterChange> {
  const tweetId = idIn('Tweet', id);
  const alarm = new Alarm(live, [tweetTopic(tweetId)]);
  try {
    let shown = '';
    do {
      const { tweet, counts } = await live.readRows(async (load) => {
        const tweet = await tweetById(load, tweetId);
        // The counts of a share are those of its original.
        const original = tweet?.sharedTweetId ?? tweetId;
        return { tweet, counts: tweet && (await load(tweetCounts.get, { tweetId: original })) };
      });
      if (tweet === null || (await whyHiddenNow(live, viewer, tweet, 'DIRECT')) !== null) {
        yield { tweet: null };
        return;
      }
      if (tweet.sharedTweetId !== null) alarm.listen([tweetTopic(tweet.sharedTweetId)]);
      const now = JSON.stringify(counts);
      if (now === shown) continue;
      shown = now;
      yield { tweet };
      await alarm.pause(MIN_BETWEEN_MS);
    } while ((await alarm.wait()) !== 'end');
  } finally {
    alarm.close();
  }
}
