import { writeOf } from '../kit/write';
import type { Writing } from '../writing';
import { tweetCounts } from './tweet.table';

/** Makes the counts that are shown of a tweet what the tallies say. */
export async function refreshTweetCounts({ database, tally }: Writing, tweetId: string): Promise<void> {
  const { counts, version } = await tally.totals(tweetId);
  if (version === 0) return;
  const row = {
    tweetId,
    likes: counts.get('likes') ?? 0,
    shares: counts.get('shares') ?? 0,
    replies: counts.get('replies') ?? 0,
  };
  // The greater version is the newer one, whoever writes last.
  const { query, params } = writeOf(tweetCounts, row, { at: version });
  await database.write(query, params);
}
