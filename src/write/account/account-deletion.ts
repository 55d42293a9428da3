import { tallies } from '../../kit/work/tally';
import { accountExports, exportChunks } from '../../features/account/account.table';
import { idsAmong, type DeletionPart, type Swept } from '../account-deletion';
import { isAbout } from '../tallied';
import { EXPORT_ASKERS, removeExport } from './decide-export';

/** The exports of a person who leaves. */
export const exportDeletionParts: readonly DeletionPart[] = [
  {
    name: 'exports',
    phase: 'lists',
    tables: [accountExports, exportChunks],
    async *remove({ database }, { userId }) {
      for (const askedBy of EXPORT_ASKERS)
        yield { after: '', rows: await removeExport(database, userId, askedBy) };
    },
  },
];

const forgetMember =
  'UPDATE tallies SET present = null, since = null, at = null, item = null WHERE owner = ? AND shard = ? AND member = ? AND list = ? IF EXISTS';

/** The memberships of a person who leaves, also those that were taken back long ago, and the tallies of the user itself. */
export const tallySwept: readonly Swept[] = [
  {
    table: tallies,
    columns: [],
    removals(row, userIds) {
      const params = [row['owner'], row['shard'], row['member'], row['list']];
      const found = (column: string) =>
        idsAmong(userIds, [row[column]]).filter(() => isAbout(row, column, 'User'));
      const [owners, members] = [found('owner'), found('member')];
      if (owners.length + members.length === 0) return [];
      // The row of member 0 also has the count of the list.
      const keepsCount = owners.length === 0 && row['member'] === '0';
      const query = keepsCount ? forgetMember : `${tallies.remove} IF EXISTS`;
      return [{ query, params, userIds: [...owners, ...members], isDecided: true }];
    },
  },
];
