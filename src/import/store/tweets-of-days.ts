import { tweetsByDay } from '../../features/tweet/tweet.lists';
import type { Database } from '../../kit/cassandra/database';
import { shardOwners } from '../../kit/cassandra/list-shards';
import { pageStatement, sliceStatement } from '../../kit/cassandra/statement';
import { dayIn, listDay, nameDay, type DayTable } from '../../kit/lists/day-list';
import { listBuckets } from '../../kit/lists/list-buckets';
import { listPages } from '../../kit/lists/list-pages';
import { readMany } from '../../kit/reads/load';

/** The columns that are read of a tweet of a day. */
interface TimedTweet {
  readonly createdAt: Date;
  readonly language: string | null;
}

const read =
  'SELECT CAST(day AS text) AS "day", created_at AS "createdAt", language FROM tweets_by_day WHERE day IN ? AND bucket = 0';
const readDays = 'SELECT DISTINCT CAST(day AS text) AS "day", bucket FROM tweets_by_day';

/** The same of one list. */
const timedTweets: DayTable<TimedTweet> = {
  ...{ name: tweetsByDay.name, clustering: tweetsByDay.clustering, shards: tweetsByDay.shards },
  slice: sliceStatement(
    pageStatement(tweetsByDay, ['tweetId', 'createdAt', 'language', 'isSplit']),
    tweetsByDay,
  ),
};

/** How many rows of a day that was split are read at once. */
const ROWS_AT_ONCE = 5000;

/** The UTC days that have tweets, as `2026-10-31`. */
export async function daysIn(database: Database): Promise<Set<string>> {
  const days = new Set<string>();
  for await (const { day } of database.stream(readDays, [])) days.add(dayIn(tweetsByDay, String(day)));
  return days;
}

/** Reads each tweet of some UTC days once. Days that were not split are read together. */
export async function eachOfDays(
  database: Database,
  days: readonly string[],
  take: (day: string, tweet: TimedTweet) => void,
): Promise<void> {
  const owners = days.map((day) => nameDay(new Date(day)));
  const stretches = await readMany(
    database,
    listBuckets.page,
    owners.map((owner) => ({ owner, list: tweetsByDay.name, limit: 1 })),
  );
  const isSplit = (index: number) => stretches[index]?.length !== 0;
  const whole = owners
    .filter((_, index) => !isSplit(index))
    .flatMap((owner) => shardOwners(tweetsByDay, owner));
  for await (const row of whole.length > 0 ? database.stream(read, [whole]) : []) {
    const { createdAt, language } = row as { createdAt: Date | null; language: string | null };
    // A partition may have a static column and no rows.
    if (createdAt !== null) take(dayIn(tweetsByDay, String(row['day'])), { createdAt, language });
  }
  // A row of a list that was split may be in several partitions, so these are merged.
  for (const day of days.filter((_, index) => isSplit(index))) {
    const pages = listPages(database, (load) => listDay(load, timedTweets, new Date(day)), ROWS_AT_ONCE);
    for await (const page of pages) for (const tweet of page) take(day, tweet);
  }
}
