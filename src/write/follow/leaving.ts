import { followersByUser, followingByUser } from '../../features/follow/follow.lists';
import { pulledByUser } from '../../features/follow/follow.table';
import { clearOwn, undoEach, type LeavingPart } from '../leaving';
import { setFollowing } from './set-following';

/** Whom a person who leaves follows, and who follows the person. */
export const followLeaving: readonly LeavingPart[] = [
  undoEach(followingByUser, {
    phase: 'follows',
    tables: [followersByUser],
    // The whole timeline of the person is removed later, so that nothing needs to be taken out of it.
    undo: (writeServices, userId, { followeeId }) =>
      setFollowing(writeServices, userId, followeeId, false, { keepsTimeline: true }),
  }),
  undoEach(followersByUser, {
    phase: 'follows',
    tables: [followingByUser],
    undo: (writeServices, userId, { followerId }) => setFollowing(writeServices, followerId, userId, false),
  }),
  clearOwn('follows', followersByUser, followingByUser, pulledByUser),
];
