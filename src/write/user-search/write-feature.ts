import type { WriteFeature } from '../write-feature';
import { userSearchTables } from './derived';
import { renameHandler } from './followees';
import { userSearchDeletionParts } from './account-deletion';

/** The rules by which the tables for finding people are derived, and the task of names that changed. */
export const userSearchWrites: WriteFeature = {
  mutations: [],
  tasks: { rename: renameHandler },
  derived: userSearchTables,
  accountDeletion: userSearchDeletionParts,
};
