import { tallies } from '../../kit/work/tally';
import type { Swept } from '../leaving';
import { isAbout } from '../tallied';

const forgetMember =
  'UPDATE tallies SET present = null, since = null, at = null, item = null WHERE owner = ? AND shard = ? AND member = ? AND list = ? IF EXISTS';

/** The memberships of who has left, also those that were taken back long ago, and the tallies of the user itself. */
export const tallySwept: readonly Swept[] = [
  {
    table: tallies,
    columns: [],
    isDecided: true,
    removals(row, userId) {
      const params = [row['owner'], row['shard'], row['member'], row['list']];
      const forgetRow = { query: `${tallies.remove} IF EXISTS`, params };
      if (row['owner'] === userId && isAbout(row, 'owner', 'User')) return [forgetRow];
      if (row['member'] !== userId || !isAbout(row, 'member', 'User')) return [];
      // The row of member 0 also has the count of the list.
      return [userId === '0' ? { query: forgetMember, params } : forgetRow];
    },
  },
];
