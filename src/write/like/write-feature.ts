import { likeExported } from './exported';
import { likeLeaving } from './account-deletion';
import type { WriteFeature } from '../write-feature';
import { likeHandler } from './set-liked';
import { LikeMutations } from './like.mutations';

/** The mutations of likes, and the tasks that they enqueue. */
export const likeWrites: WriteFeature = {
  mutations: [LikeMutations],
  tasks: { like: likeHandler },
  leaving: likeLeaving,
  exported: likeExported,
};
