import { hidingOf } from '../hidden/hiding';
import { node } from '../../kit/lists/node';
import { cachedUser, users } from './user.table';
import { User } from './user.type';

/** Users, as lists belong to them and name them. A user is always there. */
export const user = node(users, {
  name: 'User',
  type: () => User,
  read: cachedUser,
  madeBy: 'itself',
  hiding: hidingOf(({ userId }) => ({ kind: 'user', authorId: userId })),
});
