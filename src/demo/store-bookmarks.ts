import { createBulkWriter } from '../kit/writes/bulk';
import { idAt, ADA, END } from './network';
import type { Database } from '../kit/cassandra/database';
import type { ImportRecord } from '../import/records/record';
import { decideBookmark, questionOf } from '../write/bookmark/decide-bookmark';
import { storeBookmark } from '../write/bookmark/set-bookmark';

/** The folders of ada's bookmarks; every fourth is in none. */
const FOLDERS = ['', 'To read', 'Ideas', 'To read'];

/** Ada bookmarks one of so many tweets of others. */
const TWEETS_PER_BOOKMARK = 40;

/** Stores the bookmarks of ada, as `bookmarkTweet` does. The tweets must exist. Storing them again changes nothing. */
export async function storeBookmarks(database: Database, network: readonly ImportRecord[]): Promise<void> {
  const bulk = createBulkWriter(database);
  const posted = network.flatMap((record) =>
    record.kind === 'tweet' && record.sharedTweetId === undefined && record.author.userId !== ADA
      ? [record]
      : [],
  );
  for (let n = 0; n < posted.length; n += TWEETS_PER_BOOKMARK) {
    const { tweetId = '', createdAt = new Date(END) } = posted[n] ?? {};
    const now = new Date(Math.min(Number(createdAt) + 3_600_000, END));
    const nextId = () => idAt(END, n);
    const wish = { folder: FOLDERS[(n / TWEETS_PER_BOOKMARK) % FOLDERS.length] ?? '' };
    const store = storeBookmark.bind(null, { bulk });
    const row = await decideBookmark({ database, nextId, now }, questionOf(ADA, tweetId), wish, store);
    if (row !== null) await store(row);
  }
}
