import { createLoad } from '../../kit/reads/load';
import { users } from '../../features/user/user.table';
import { exportAtOnce, type ExportedPart } from '../exported';

/** The profile of a person. */
export const userExported: readonly ExportedPart[] = [
  exportAtOnce('profile', [users], async (database, userId) => {
    const user = await createLoad(database)(users.get, { userId });
    return user === null ? [] : [user];
  }),
];
