import { followingByUser, pulledByUser } from '../follow/follow.table';
import type { Row } from '../kit/cassandra/table';
import { tooLarge } from '../kit/errors';
import type { Load } from '../kit/load';
import { monthOf, monthsOf } from '../kit/relay/buckets';
import type { List, Slice, Source } from '../kit/relay/connection';
import { shownList, tweetPosition } from '../tweet/tweet-list';
import { tweetsByAuthor, type tweets } from '../tweet/tweet.table';
import { partsByMonth } from './parts';
import { timelinesByUser } from './timeline.table';

/**
 * A user's home timeline: the rows pushed to it, of all parts of a month, merged month by month with the tweets of the
 * followed authors that have too many followers to push to. Tweets older than `since` are left out.
 */
export async function timelineOf(
  load: Load,
  userId: string,
  since: Date | null,
): Promise<List<Row<typeof tweets>>> {
  const own = { list: timelinesByUser.name, owner: userId };
  const [marked, buckets] = await Promise.all([
    load(pulledByUser.page, { userId, limit: MOST_MARKED }),
    monthsOf(load, [own]),
  ]);
  const parts = partsByMonth(buckets);
  const pulled = marked.filter((author) => author.pulled ?? true);
  // What was pushed of these is not shown: it comes from their own lists, or they are followed no more.
  const unpushed = new Set(marked.map(({ authorId }) => authorId));
  const pulledLists = pulled.map(({ authorId }) => ({ list: tweetsByAuthor.name, owner: authorId }));
  const oldest = since === null ? 0 : monthOf(since);
  const isYoung = ({ createdAt }: Row<typeof tweets>) => since === null || createdAt >= since;
  return shownList(load, {
    name: `${timelinesByUser.name} ${userId}`,
    async buckets() {
      const months = new Set([...parts.keys(), ...(await monthsOf(load, pulledLists))]);
      return [...months].filter((month) => month >= oldest).sort((a, b) => b - a);
    },
    sources(month): Source<Row<typeof tweets>>[] {
      return [
        ...pulled.map(({ authorId }) => ({
          read: (slice: Slice) => load(tweetsByAuthor.page, { authorId, bucket: month, ...slice }),
          holds: isYoung,
        })),
        ...(parts.get(month) ?? []).map((bucket) => ({
          read: (slice: Slice) => load(timelinesByUser.page, { userId, bucket, ...slice }),
          holds: (tweet: Row<typeof tweets>) => isYoung(tweet) && !unpushed.has(tweet.authorId),
        })),
      ];
    },
    position: tweetPosition,
  });
}

/** The most followed of whom the most liked tweets are looked for. */
const MOST_FOLLOWED = 5000;

/** Whom a user follows, the last first. `QUERY_TOO_LARGE` where these are more than 5,000. */
export async function followedBy(load: Load, userId: string): Promise<string[]> {
  const followed: string[] = [];
  for (const bucket of await monthsOf(load, [{ list: followingByUser.name, owner: userId }])) {
    const limit = MOST_FOLLOWED + 1 - followed.length;
    const page = await load(followingByUser.page, { userId, bucket, limit });
    followed.push(...page.map(({ followeeId }) => followeeId));
    if (followed.length > MOST_FOLLOWED)
      throw tooLarge(
        `MOST_LIKED is made for timelines of at most ${MOST_FOLLOWED} followed accounts, but these are more. NEWEST has no such bound.`,
      );
  }
  return [...new Set(followed)];
}

/** More authors than anybody follows of those that are pulled, and unfollowed in the last moments. */
const MOST_MARKED = 100_000;
