import { likesByTweet, likesByUser } from '../../features/like/like.lists';
import { clearOwn, undoEach, type DeletionPart } from '../account-deletion';
import { unlike } from './set-liked';

/** The likes of a person who leaves. */
export const likeDeletionParts: readonly DeletionPart[] = [
  undoEach(likesByUser, {
    phase: 'acts',
    tables: [likesByTweet],
    undo: (writeServices, userId, { tweetId }) => unlike(writeServices, tweetId, userId),
  }),
  clearOwn('likes', likesByUser),
];
