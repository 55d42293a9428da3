import { followersByUser, followingByUser } from '../../features/follow/follow.lists';
import { pulledByUser, relations } from '../../features/follow/follow.table';
import { clearOwn, idsAmong, undoEach, type DeletionPart, type Swept } from '../account-deletion';
import { setFollowing } from './set-following';

/** The follows of a person who leaves, in both directions. */
export const followDeletionParts: readonly DeletionPart[] = [
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

/** The pairs of people, of which one has left: also those that do not follow each other any more. */
export const followSwept: readonly Swept[] = [
  {
    table: relations,
    columns: [],
    removals({ pair }, userIds) {
      const found = idsAmong(userIds, String(pair).split(' '));
      if (found.length === 0) return [];
      return [{ query: `${relations.remove} IF EXISTS`, params: [pair], userIds: found, isDecided: true }];
    },
  },
];
