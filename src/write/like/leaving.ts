import { likesByTweet, likesByUser } from '../../features/like/like.lists';
import { clearOwn, undoEach, type LeavingPart } from '../leaving';
import { unlike } from './set-liked';

/** The likes of a person who leaves. */
export const likeLeaving: readonly LeavingPart[] = [
  undoEach(likesByUser, {
    phase: 'acts',
    tables: [likesByTweet],
    undo: (writeServices, userId, { tweetId }) => unlike(writeServices, tweetId, userId),
  }),
  clearOwn('likes', likesByUser),
];
