import { asBare } from '../../kit/lists/node';
import type { Load } from '../../kit/reads/load';

/**
 * Returns a user to show where an object of somebody else cannot do without one, such as the author of an article. Nobody may see hidden
 * users, so only the id is left of them.
 */
export function bareIfHidden<T extends { readonly userId: string }>(load: Load, user: T): T {
  if (load.isHidden?.(user.userId) !== true) return user;
  return asBare({ ...user, username: '', name: '', description: null, twitterAccount: null });
}
