import { followExported } from './exported';
import { followDeletionParts, followSwept } from './account-deletion';
import type { WriteFeature } from '../write-feature';
import { pulledTable } from './derived';
import { followHandler } from './set-following';
import { FollowMutations } from './follow.mutations';

/** The mutations of follows, and the tasks that they enqueue. */
export const followWrites: WriteFeature = {
  mutations: [FollowMutations],
  tasks: { follow: followHandler },
  derived: [pulledTable],
  accountDeletion: followDeletionParts,
  exported: followExported,
  swept: followSwept,
};
