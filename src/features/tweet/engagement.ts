import type { Row } from '../../kit/cassandra/table';
import { sharedByObject, upTo } from '../../kit/cost/reads';
import type { Load } from '../../kit/reads/load';
import { engagementsByUser, LIKED } from './engagement.table';

const ofTweet = engagementsByUser.within(['tweetId']);

/** The read of what a user has done with a tweet: a like and a share. */
export const ENGAGEMENT_READ = sharedByObject(upTo(engagementsByUser, () => ({ reads: 1, rows: 2 })));

/** Whether a user likes a tweet. */
export function isLikedBy(load: Load, userId: string, tweetId: string): Promise<boolean> {
  return load(ofTweet, { userId, tweetId }).then((rows) => rows.some(isLike));
}

/** Whether a user shares a tweet. */
export function isSharedBy(load: Load, userId: string, tweetId: string): Promise<boolean> {
  return load(ofTweet, { userId, tweetId }).then((rows) => rows.some((row) => !isLike(row)));
}

function isLike({ shareId }: Row<typeof engagementsByUser>): boolean {
  return shareId === LIKED;
}
