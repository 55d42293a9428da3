import { followingByUser, pulledByUser } from '../follow/follow.table';
import type { Row } from '../kit/cassandra/table';
import { tooLarge } from '../kit/base/errors';
import type { Load } from '../kit/data/load';
import { buckets, monthOf } from '../kit/data/buckets';
import { bucketsFrom } from '../kit/lists/list-buckets';
import type { List, Slice, Source } from '../kit/relay/list';
import { tweetPosition } from '../tweet/tweet-list';
import { type tweets, tweetsByAuthor } from '../tweet/tweet.table';
import { bucketsByMonth } from './parts';
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
 * A user's home timeline: the rows pushed to it, of all parts of a month, merged month by month with the tweets of the
 * followed authors that have too many followers to push to. Tweets older than `since` are left out. `QUERY_TOO_LARGE`
 * where more than `MAX_MERGED_AUTHORS` have to be merged.
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
  const parts = bucketsByMonth(own.map(({ bucket }) => bucket));
  const pulled = marked.filter((author) => author.pulled ?? true);
  if (pulled.length > MAX_MERGED_AUTHORS || marked.length === MAX_MARKS)
    throw tooLarge(
      `A timeline merges at most ${MAX_MERGED_AUTHORS} accounts with many followers, but of this one there are more.`,
    );
  // What was pushed of these is not shown: it comes from their own lists, or they are followed no more.
  const unpushed = new Set(marked.map(({ authorId }) => authorId));
  const oldest = since === null ? 0 : monthOf(since);
  const isYoung = ({ createdAt }: Row<typeof tweets>) => since === null || createdAt >= since;
  return {
    name: `${timelinesByUser.name} ${userId}`,
    bounds: TIMELINE_BOUNDS,
    looksBehind: pulled.length <= MAX_MERGED_BEHIND,
    async buckets(asked, backwards) {
      const from = backwards ? Math.max(oldest, asked ?? oldest) : asked;
      const monthsOfAuthors = await Promise.all(
        pulled.map(({ authorId }) =>
          bucketsFrom(load, { list: tweetsByAuthor.name, owner: authorId }, from, backwards),
        ),
      );
      const isAhead = (month: number) => from === null || (backwards ? month >= from : month <= from);
      const months = new Set([...[...parts.keys()].filter(isAhead), ...monthsOfAuthors.flat()]);
      const sorted = [...months].filter((month) => month >= oldest).sort((a, b) => b - a);
      // Of each author only so many months are known: what lies beyond them may have more.
      const known = TIMELINE_BOUNDS.buckets + 1;
      return backwards ? sorted.slice(-known) : sorted.slice(0, known);
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
  };
}

/** Whom a user follows, the last first. `QUERY_TOO_LARGE` where these are more than `MAX_MERGED_AUTHORS`. */
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
        `MOST_LIKED is made for timelines of at most ${MAX_MERGED_AUTHORS} followed accounts, but these are more. Ask for NEWEST, which merges only those with many followers.`,
      );
  }
  return [...new Set(followed)];
}
