import type { Row } from '../../kit/cassandra/table';
import type { RowWriter } from '../../kit/data/row-writer';
import { MAX_DELETIONS_READ } from '../../tweet/recent-deletions';
import type { tweets } from '../../tweet/tweet.table';
import { deletionMarkOf } from '../../write/tweet/mark-deletion';

type TweetRow = Row<typeof tweets>;

/**
 * Marks stored tweets that are about to change, as a deletion does, so that servers read again what they have kept. `before` has the
 * stored tweets in the order of `rows`. With more marks than servers look at, they trust nothing that they have kept, so no more are written.
 */
export async function markChanged(
  writer: Pick<RowWriter, 'put' | 'flush'>,
  rows: readonly TweetRow[],
  before: readonly (TweetRow | null)[],
): Promise<void> {
  const changed = rows.filter((row, index) => {
    const stored = before[index];
    return stored != null && shownIn(row) !== shownIn(stored);
  });
  if (changed.length === 0) return;
  for (const { tweetId } of changed.slice(0, MAX_DELETIONS_READ)) await writer.put(deletionMarkOf(tweetId));
  await writer.flush();
}

/** What a tweet shows, as a string that can be compared. An empty list is stored as nothing. */
function shownIn(row: TweetRow): string {
  const { location, hashtags, mentions, ...others } = row;
  const { latitude = null, longitude = null } = location ?? {};
  const scalars = Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([scalars, latitude, longitude, hashtags ?? [], mentions ?? []]);
}
