import { likesByTweet, likesByUser } from '../../features/like/like.lists';
import { clearOwn, undoEach, type LeavingPart } from '../leaving';
import { unlike } from './set-liked';

/** What a person who leaves has liked. */
export const likeLeaving: readonly LeavingPart[] = [
  undoEach(likesByUser, {
    phase: 'acts',
    tables: [likesByTweet],
    undo: (writeServices, userId, { tweetId }) => unlike(writeServices, tweetId, userId),
  }),
  clearOwn('likes', likesByUser),
];
