import { followingByUser, pulledByUser } from '../follow/follow.table';
import type { Row } from '../kit/cassandra/table';
import { tooLarge } from '../kit/base/errors';
import type { Load } from '../kit/data/load';
import { buckets, monthOf } from '../kit/data/buckets';
import { bucketsFrom } from '../kit/lists/list-buckets';
import { sourceOf, type List, type Source } from '../kit/relay/list';
import { tweetPosition } from '../tweet/tweet-list';
import { type tweets, tweetsByAuthor } from '../tweet/tweet.table';
import { bucketsByMonth } from './timeline-shards';
import {
  MAX_FOLLOW_MONTHS,
  MAX_MARKS,
  MAX_MERGED_AUTHORS,
  MAX_MERGED_BEHIND,
  MAX_TIMELINE_BUCKETS,
  TIMELINE_BOUNDS,
} from './timeline-reads';
import { timelinesByUser } from './timeline.table';

/**
 * A user's home timeline. The tweets pushed to it, from all shards of a month, are merged month by month with those of the
 * pulled authors whom the user follows. Tweets older than `since` are left out. Throws `QUERY_TOO_LARGE` if more than
 * `MAX_MERGED_AUTHORS` authors would have to be merged.
 */
export async function timelineOf(
  load: Load,
  userId: string,
  since: Date | null,
): Promise<List<Row<typeof tweets>>> {
  const [marked, own] = await Promise.all([
    load(pulledByUser.page, { userId, limit: MAX_MARKS }),
    load(buckets.page, { list: timelinesByUser.name, owner: userId, limit: MAX_TIMELINE_BUCKETS }),
  ]);
  const bucketsOfMonths = bucketsByMonth(own.map(({ bucket }) => bucket));
  const pulled = marked.filter((author) => author.pulled ?? true);
  if (pulled.length > MAX_MERGED_AUTHORS || marked.length === MAX_MARKS)
    throw tooLarge(
      `A timeline can merge at most ${MAX_MERGED_AUTHORS} accounts with many followers, but this one has more.`,
    );
  // Pushed tweets of these authors are not shown: they come from the author's own list, or the author was unfollowed.
  const hidden = new Set(marked.map(({ authorId }) => authorId));
  const oldest = since === null ? 0 : monthOf(since);
  const isYoung = ({ createdAt }: Row<typeof tweets>) => since === null || createdAt >= since;
  return {
    name: `${timelinesByUser.name} ${userId}`,
    bounds: TIMELINE_BOUNDS,
    looksBehind: pulled.length <= MAX_MERGED_BEHIND,
    async buckets(start, backwards) {
      const from = backwards ? Math.max(oldest, start ?? oldest) : start;
      const monthsOfAuthors = await Promise.all(
        pulled.map(({ authorId }) =>
          bucketsFrom(load, { list: tweetsByAuthor.name, owner: authorId }, from, backwards),
        ),
      );
      const isAhead = (month: number) => from === null || (backwards ? month >= from : month <= from);
      const months = new Set([...[...bucketsOfMonths.keys()].filter(isAhead), ...monthsOfAuthors.flat()]);
      const sorted = [...months].filter((month) => month >= oldest).sort((a, b) => b - a);
      // Only this many months of each author were read. Months beyond them may be missing.
      const known = TIMELINE_BOUNDS.buckets + 1;
      return backwards ? sorted.slice(-known) : sorted.slice(0, known);
    },
    sources(month): Source<Row<typeof tweets>>[] {
      return [
        ...pulled.map(({ authorId }) =>
          sourceOf(
            (slice) => load(tweetsByAuthor.page, { authorId, bucket: month, ...slice }),
            tweetPosition,
            isYoung,
          ),
        ),
        ...(bucketsOfMonths.get(month) ?? []).map((bucket) =>
          sourceOf(
            (slice) => load(timelinesByUser.page, { userId, bucket, ...slice }),
            tweetPosition,
            (tweet) => isYoung(tweet) && !hidden.has(tweet.authorId),
          ),
        ),
      ];
    },
    position: tweetPosition,
  };
}

/** The accounts that a user follows, newest follow first. Throws `QUERY_TOO_LARGE` for more than `MAX_MERGED_AUTHORS`. */
export async function followedBy(load: Load, userId: string): Promise<string[]> {
  const list = { list: followingByUser.name, owner: userId };
  const months = await load(buckets.page, { ...list, limit: MAX_FOLLOW_MONTHS });
  const followed: string[] = [];
  for (const { bucket } of months) {
    const limit = MAX_MERGED_AUTHORS + 1 - followed.length;
    const page = await load(followingByUser.page, { userId, bucket, limit });
    followed.push(...page.map(({ followeeId }) => followeeId));
    if (followed.length > MAX_MERGED_AUTHORS)
      throw tooLarge(
        `MOST_LIKED works for users who follow at most ${MAX_MERGED_AUTHORS} accounts, but this one follows more. Ask for NEWEST, which merges only accounts with many followers.`,
      );
  }
  return [...new Set(followed)];
}
