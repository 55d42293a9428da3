import type { WriteFeature } from '../write-feature';
import { userTables } from './derived';
import { UserMutations } from './user.mutations';

/** The mutations of users. */
export const userWrites: WriteFeature = {
  mutations: [UserMutations],
  tasks: {},
  derived: userTables,
};
