import { pulledByUser } from '../follow/follow.table';
import type { Row } from '../kit/cassandra/table';
import type { Load } from '../kit/load';
import { monthOf, monthsOf } from '../kit/relay/buckets';
import type { List, Source } from '../kit/relay/connection';
import { tweetPosition } from '../tweet/tweet-list';
import { tweetsByAuthor, type tweets } from '../tweet/tweet.table';
import { timelinesByUser } from './timeline.table';

/**
 * A user's home timeline: the rows pushed to it, merged month by month with the tweets of the followed authors
 * that have too many followers to push to. Tweets older than `since` are left out.
 */
export async function timelineOf(
  load: Load,
  userId: string,
  since: Date | null,
): Promise<List<Row<typeof tweets>>> {
  const own = { list: timelinesByUser.name, owner: userId };
  const [pulled, pushedMonths] = await Promise.all([
    load(pulledByUser.page, { userId, limit: 1000 }),
    monthsOf(load, [own]),
  ]);
  const pulledLists = pulled.map(({ authorId }) => ({ list: tweetsByAuthor.name, owner: authorId }));
  const oldest = since === null ? 0 : monthOf(since);
  return {
    name: `${timelinesByUser.name} ${userId}`,
    async buckets() {
      const months = pulled.length === 0 ? pushedMonths : await monthsOf(load, [own, ...pulledLists]);
      return months.filter((month) => month >= oldest);
    },
    sources(bucket): Source<Row<typeof tweets>>[] {
      // Of doubles the first is taken: what its author has rather than what was pushed.
      return [
        ...pulled.map(
          ({ authorId }): Source<Row<typeof tweets>> =>
            (slice) =>
              load(tweetsByAuthor.page, { authorId, bucket, ...slice }),
        ),
        (slice) => load(timelinesByUser.page, { userId, bucket, ...slice }),
      ];
    },
    position: tweetPosition,
    ...(since && { holds: ({ createdAt }) => createdAt >= since }),
  };
}
