import { createLoad } from '../../kit/reads/load';
import { users } from '../../features/user/user.table';
import type { ExportedPart } from '../exported';

/** The profile of a person. */
export const userExported: readonly ExportedPart[] = [
  {
    name: 'profile',
    tables: [users],
    async *pages(database, userId) {
      const user = await createLoad(database)(users.get, { userId });
      if (user !== null) yield { after: '1', lines: [user] };
    },
  },
];
