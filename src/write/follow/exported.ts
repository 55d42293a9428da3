import { followersByUser, followingByUser } from '../../features/follow/follow.lists';
import { exportList, nameUsers, type ExportedPart } from '../exported';

/** The users whom a person follows, and those who follow the person. The latter are acts of others, so an import does not take them. */
export const followExported: readonly ExportedPart[] = [
  exportList('following', followingByUser, async (database, rows) => {
    const people = await nameUsers(
      database,
      rows.map(({ followeeId }) => followeeId),
    );
    return rows.map(({ followedAt }, index) => ({ ...people[index], followedAt }));
  }),
  exportList('followers', followersByUser, async (database, rows) => {
    const people = await nameUsers(
      database,
      rows.map(({ followerId }) => followerId),
    );
    return rows.map(({ followedAt }, index) => ({ ...people[index], followedAt }));
  }),
];
