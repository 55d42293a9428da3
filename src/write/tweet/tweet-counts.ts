import { createLoad } from '../../kit/data/load';
import { magnitudeOf } from '../../kit/base/magnitude';
import { writeOf } from '../../kit/data/write';
import { isLate } from '../../kit/postings/unsealed';
import { runShared } from '../../kit/work/shared-runs';
import { tweetTopic } from '../../live/topics';
import type { WriteContext } from '../write-context';
import { likesIn } from '../../tweet/like-count';
import { listMostLiked } from './top-rows';
import { tweetCounts, tweets } from '../../tweet/tweet.table';

/** Sets the counts shown of a tweet to those of the tallies, and lists it among the most liked. */
export function refreshTweetCounts(writeContext: Counting, tweetId: string): Promise<void> {
  return runShared(writeContext.database, `tweet ${tweetId}`, () => refresh(writeContext, tweetId));
}

/** What counting needs. */
type Counting = Pick<WriteContext, 'database' | 'tally' | 'bulk'> & Partial<Pick<WriteContext, 'signals'>>;

async function refresh(writeContext: Counting, tweetId: string): Promise<void> {
  const { database, tally } = writeContext;
  const load = createLoad(database);
  const [{ counts, version }, before] = await Promise.all([
    tally.totals(tweetId),
    load(tweetCounts.get, { tweetId }),
  ]);
  if (version === 0) return;
  const after = {
    likes: counts.get('likes') ?? 0,
    shares: counts.get('shares') ?? 0,
    replies: counts.get('replies') ?? 0,
  };
  const likes = (before?.likeCount ?? 0) + after.likes;
  const began = Date.now();
  // Stored before the count is shown, so that no list of the most liked misses the tweet.
  if (magnitudeOf(likes) !== magnitudeOf(likesIn(before))) await listByLikes(writeContext, tweetId, likes);
  // The version is the write timestamp: the newer totals win, in whatever order the writes come.
  const { query, params } = writeOf(tweetCounts, { tweetId, ...after }, { at: version });
  await database.write(query, params);
  writeContext.signals?.publish([tweetTopic(tweetId)]);
  // An import may have written its number meanwhile: whichever of the two reads last sees both.
  const shown = likesIn(await createLoad(database)(tweetCounts.get, { tweetId }));
  // If the count came late, a merge of the index may have left out the entry that did not agree with the count.
  const isChanged = magnitudeOf(likes) !== magnitudeOf(likesIn(before));
  if (magnitudeOf(shown) !== magnitudeOf(likes) || (isChanged && isLate(began)))
    await listByLikes(writeContext, tweetId, shown);
}

async function listByLikes(
  writeContext: Pick<WriteContext, 'database' | 'bulk'>,
  tweetId: string,
  likes: number,
): Promise<void> {
  const tweet = await createLoad(writeContext.database)(tweets.get, { tweetId });
  if (tweet === null) return;
  await listMostLiked(() => writeContext.bulk(), tweet, magnitudeOf(likes));
}
