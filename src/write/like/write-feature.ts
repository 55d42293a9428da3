import { likeExported } from './exported';
import { likeDeletionParts } from './account-deletion';
import type { WriteFeature } from '../write-feature';
import { likeHandler } from './set-liked';
import { LikeMutations } from './like.mutations';

/** The mutations of likes, and the tasks that they enqueue. */
export const likeWrites: WriteFeature = {
  mutations: [LikeMutations],
  tasks: { like: likeHandler },
  accountDeletion: likeDeletionParts,
  exported: likeExported,
};
