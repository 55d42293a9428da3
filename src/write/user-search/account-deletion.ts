import {
  followeesByName,
  userSearchEntries,
  usersByPrefix,
} from '../../features/user-search/user-search.table';
import { clearOwn, type DeletionPart } from '../account-deletion';
import { indexUser } from './index-users';

/**
 * The rows by which a person who leaves is found, and the followees whom the person finds first. Others do not find the person any more
 * once they have unfollowed.
 */
export const userSearchDeletionParts: readonly DeletionPart[] = [
  clearOwn('followees by name', followeesByName),
  {
    name: 'user search',
    // After the user: nobody is found by the names of a user who is not there.
    phase: 'identity',
    tables: [usersByPrefix, userSearchEntries],
    async *remove({ database }, { userId }) {
      await indexUser(database, userId);
      yield { after: '', rows: { [userSearchEntries.name]: 1 } };
    },
  },
];
