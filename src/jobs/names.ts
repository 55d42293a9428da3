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
 * A table that says which user has a name. It is written only by lightweight transactions, so that a user who signs up
 * meanwhile does not lose a name. The column `stored` is not compared, because it does not come from the source.
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
      // Two users have the same name, and nothing here tells which of them it belongs to.
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

/** The tables of usernames and of Twitter accounts. */
export const nameTables: readonly Derived[] = [
  nameTable(usersByUsername, usernames, 'usernameFolded'),
  nameTable(usersByTwitterAccount, twitterAccounts, 'accountFolded'),
];
