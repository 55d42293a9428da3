import type { WriteFeature } from '../write-feature';
import { UserMutations } from './user.mutations';

/** The mutations of users, and the work that they leave behind. */
export const userWrites: WriteFeature = {
  mutations: [UserMutations],
  tasks: {},
};
