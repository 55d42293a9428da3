import type { WriteFeature } from '../write-feature';
import { userSearchTables } from './derived';
import { renameHandler } from './followees';
import { userSearchLeaving } from './leaving';

/** What finding people needs: how its tables are derived, and the task that renames leave. */
export const userSearchWrites: WriteFeature = {
  mutations: [],
  tasks: { rename: renameHandler },
  derived: userSearchTables,
  leaving: userSearchLeaving,
};
