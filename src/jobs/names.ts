import { isConflict } from '../kit/base/errors';
import { createLoad } from '../kit/data/load';
import {
  claimName,
  isBeingClaimed,
  confirmName,
  releaseName,
  twitterAccounts,
  usernames,
} from '../write/user/names';
import { users, usersByTwitterAccount, usersByUsername } from '../user/user.table';
import type { Derived } from './examine';
import { nameSource } from './sources';
import type { AnyTable } from './stored';

/**
 * A table that says whose a name is. It is written by lightweight transactions only, so that nobody who signs up meanwhile
 * loses a name. Whether a name is `stored` is no matter of the source: of a user who has it, it is.
 */
function nameTable(table: AnyTable, kind: typeof usernames, column: string): Derived {
  return {
    table,
    sources: [nameSource],
    askFor: (row) => String(row['userId']),
    own: ['stored'],
    isPassing: ({ database }, row) => isBeingClaimed(database, kind, String(row[column])),
    async put({ database }, row, found) {
      const [name, userId] = [String(row[column]), String(row['userId'])];
      const owner = found === null ? undefined : String(found['userId']);
      const other = owner === undefined ? null : await createLoad(database)(users.get, { userId: owner });
      // Two users of one name: which of them it is nobody can tell here.
      if (other !== null && kind.isOf(other, name)) return false;
      try {
        await claimName(database, kind, name, userId, owner);
        await confirmName(database, kind, name, userId);
        return true;
      } catch (error) {
        if (isConflict(error)) return false;
        throw error;
      }
    },
    remove: ({ database }, row) => releaseName(database, kind, String(row[column]), String(row['userId'])),
  };
}

/** The tables of names. */
export const nameTables: readonly Derived[] = [
  nameTable(usersByUsername, usernames, 'usernameFolded'),
  nameTable(usersByTwitterAccount, twitterAccounts, 'accountFolded'),
];
