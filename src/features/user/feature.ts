import type { Feature } from '../feature';
import { seeUser, shownBy } from '../hidden/hiding';
import { profilesByUsername, userCounts, users, usersByTwitterAccount, usersByUsername } from './user.table';
import { user } from './user.node';
import { UserResolver } from './user.resolver';

/** Users: tables, resolvers and node types. */
export const userFeature: Feature = {
  title: 'People',
  tables: [users, profilesByUsername, usersByUsername, usersByTwitterAccount, userCounts],
  resolvers: [UserResolver],
  nodeTypes: {
    User: {
      key: 'userId',
      reads: [users],
      load: user.findShown,
      shown: shownBy(seeUser),
      shownBy: ['tweets', 'timeline'],
    },
  },
};
