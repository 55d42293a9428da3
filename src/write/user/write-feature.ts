import { userExported } from './exported';
import { userDeletionParts } from './account-deletion';
import type { WriteFeature } from '../write-feature';
import { userTables } from './derived';
import { profileHandler } from './profile-copy';
import { UserMutations } from './user.mutations';

/** The mutations of users. */
export const userWrites: WriteFeature = {
  mutations: [UserMutations],
  tasks: { profile: profileHandler },
  derived: userTables,
  accountDeletion: userDeletionParts,
  exported: userExported,
};
