import type { Database } from '../../src/kit/cassandra/database';
import type { PageQuestion } from './questions';
import type { Subject } from './subjects';

/** The keyspace of the pages that the driver alone reads; it is dropped after the comparison. */
const FLOOR_KEYSPACE = 'bench_floor';
/** The table of these pages: the rows of each page are one partition. */
export const FLOOR = `${FLOOR_KEYSPACE}.pages`;

const INSERT = `INSERT INTO ${FLOOR} (page, n, tweet_id, counted_id, user_id, content, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)`;

/** A node or edge of a page, as GraphQL answers it. */
export interface Shown {
  readonly tweetId?: string;
  readonly content?: string;
  readonly createdAt?: string;
  readonly author?: { readonly userId: string };
  readonly followedAt?: string;
  readonly likedAt?: string;
  readonly title?: string;
  readonly publishedAt?: string;
  readonly body?: string;
  readonly node?: { readonly userId: string };
}

/** Creates the empty table of pages. */
export async function createFloor(database: Database): Promise<void> {
  await dropFloor(database);
  await database.run(
    `CREATE KEYSPACE ${FLOOR_KEYSPACE} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`,
  );
  await database.run(
    `CREATE TABLE ${FLOOR} (page text, n int, tweet_id bigint, counted_id bigint, user_id bigint, content text, created_at timestamp, PRIMARY KEY (page, n))`,
  );
}

/** Drops the table of pages with its keyspace. */
export async function dropFloor(database: Database): Promise<void> {
  await database.run(`DROP KEYSPACE IF EXISTS ${FLOOR_KEYSPACE}`);
}

const READ_SHARED =
  'SELECT CAST(tweet_id AS text) AS id, CAST(shared_tweet_id AS text) AS shared FROM tweets WHERE tweet_id IN ?';

/**
 * Stores the rows of a page as one partition. A list of pointers has only the ids of its tweets. `counted_id` is the tweet
 * whose counts are shown: for a share, its original.
 */
export async function storePage(
  database: Database,
  { name, rows }: PageQuestion,
  { id }: Subject,
  page: readonly Shown[],
): Promise<void> {
  const tweetIds = page.flatMap(({ tweetId }) => tweetId ?? []);
  const tweets = tweetIds.length === 0 ? [] : await database.read(READ_SHARED, [tweetIds]);
  const shared = new Map(
    (tweets as { id: string; shared: string | null }[]).map((row) => [row.id, row.shared]),
  );
  const writes = page.map((shown, n) => {
    const at = shown.createdAt ?? shown.publishedAt ?? shown.followedAt ?? shown.likedAt;
    const isPointer = rows === 'pointers to tweets';
    return database.write(INSERT, [
      `${name} ${id}`,
      n,
      shown.tweetId,
      shared.get(shown.tweetId ?? '') ?? shown.tweetId,
      (shown.author ?? shown.node)?.userId,
      isPointer ? undefined : (shown.content ?? shown.title ?? shown.body),
      isPointer || at === undefined ? undefined : new Date(at),
    ]);
  });
  await Promise.all(writes);
}
