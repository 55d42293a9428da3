import { toSnakeCase } from '../../../src/kit/cassandra/statement';
import type { Columns } from '../../../src/kit/cassandra/table';
import { tables } from '../../../src/app';
import { LIKED } from '../../../src/features/tweet/engagement.table';
import type { Harness } from '../../support/harness';
import { listsOfActs } from '../../support/stored-lists';

type Row = Readonly<Record<string, unknown>>;

async function rowsOf({ database }: Harness, name: string, columns: Columns): Promise<Row[]> {
  const selected = Object.entries(columns).map(
    ([property, column]) => `${column.select(toSnakeCase(property))} AS "${property}"`,
  );
  const rows: Row[] = [];
  for await (const row of database.stream(`SELECT ${selected.join(', ')} FROM ${name}`, [])) rows.push(row);
  return rows;
}

/** Of the rows of a table those, in that form, in which they must be the same; all rows of that server are at hand. */
type Compared = (rows: readonly Row[], all: ReadonlyMap<string, readonly Row[]>) => readonly unknown[];

const without =
  (...left: readonly string[]): Compared =>
  (rows) =>
    rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !left.includes(name))));
const sums =
  (key: string, pairs: Readonly<Record<string, string>>): Compared =>
  (rows) =>
    rows
      .map((row) => [
        row[key],
        ...Object.entries(pairs).map(([base, acts]) => Number(row[base] ?? 0) + Number(row[acts] ?? 0)),
      ])
      .filter(([, ...counts]) => counts.some((count) => count !== 0));
/** Of the magnitudes that something has come to, the last one. */
const highest =
  (...key: readonly string[]): Compared =>
  (rows) => {
    const tops = rows.map((row) => ({
      ...row,
      magnitude: Number(row['magnitude']),
      of: key.map((name) => String(row[name])).join(' '),
    }));
    return tops.filter(
      (top) => !tops.some((other) => isSameTop(other, top) && other.magnitude > top.magnitude),
    );
  };
const isSameTop = (a: Row, b: Row) => a['of'] === b['of'];

/** Compares no row of a table. */
export const none: Compared = () => [];

/** The tables that say also how something came about, and what of them is the same in whatever way it did. */
export const partly: Readonly<Record<string, Compared>> = {
  // Whether a sign-up is over, which an import need not tell.
  users_by_username: without('stored'),
  users_by_twitter_account: without('stored'),
  // How often a relation was changed here, and whether an import brought it.
  followers_by_user: without('version'),
  // When an author was pulled.
  fanout_modes: without('pulledAt'),
  relations: without('lowVersion', 'lowImported', 'highVersion', 'highImported'),
  // What was imported and what acts added stand apart; what is shown is their sum.
  user_counts: sums('userId', {
    importedFollowers: 'followers',
    importedFollowing: 'following',
    importedTweets: 'tweets',
  }),
  tweet_counts: sums('tweetId', {
    importedLikes: 'likes',
    importedShares: 'shares',
    importedReplies: 'replies',
    importedQuotes: 'quotes',
  }),
  // Acts count their members; of imports there are the shares only, since one of each tweet is allowed to each author.
  tallies: (rows) =>
    rows
      .filter(({ list, member }) => list === 'shares' && member !== '0')
      .map(({ owner, shard, member, present, item }) => ({ owner, shard, member, present, item })),
  // Imported likes are only counted.
  engagements_by_user: (rows) => rows.filter(({ shareId }) => shareId !== LIKED),
  // Acts pass through all magnitudes of likes; readers skip the rows of earlier ones.
  top_tweets_by_author: highest('authorId', 'tweetId'),
  top_replies_by_tweet: highest('inReplyToId', 'tweetId'),
  top_users: highest('userId'),
  tweet_frequency: (rows) =>
    rows.flatMap(({ imported, posted, version: _, ...range }) => {
      const count = Number(imported ?? 0) + Number(posted ?? 0);
      return count === 0 ? [] : { ...range, count };
    }),
  // What was pushed before its author came to be merged in stays, and is not shown.
  timelines_by_user: (rows, all) => {
    const pulled = new Set(
      all.get('pulled_by_user')?.map(({ userId, authorId }) => `${String(userId)} ${String(authorId)}`),
    );
    return rows.filter(({ userId, authorId }) => !pulled.has(`${String(userId)} ${String(authorId)}`));
  },
  ...Object.fromEntries(listsOfActs.map(({ list }) => [list.name, none])),
  // What is imported is in segments at once.
  postings: none,
  segments: none,
  segment_entries: none,
  segment_terms: none,
  unsealed_entries: none,
  // What only one of the two ways needs: the source's record and counts, and who does what is under way.
  raw_tweets: none,
  // Imports notify nobody.
  notifications_by_user: none,
  notification_groups: none,
  notified_by_tweet: none,
  outbox_windows: none,
  task_claims: none,
  servers: none,
  server_numbers: none,
  recent_writers: none,
  late_arrivals: none,
};

/** What is compared of every table of a server, by the table's name. */
export async function comparedRows(server: Harness): Promise<Map<string, string[]>> {
  const read = tables.map(
    async (table) => [table.name, await rowsOf(server, table.name, table.columns)] as const,
  );
  const all = new Map(await Promise.all(read));
  return new Map(
    [...all].map(([name, rows]) => {
      const compared = partly[name]?.(rows, all) ?? rows;
      return [name, compared.map((row) => JSON.stringify(row)).sort()];
    }),
  );
}
