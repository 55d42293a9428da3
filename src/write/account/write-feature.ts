import type { WriteFeature } from '../write-feature';
import { AccountMutations } from './account.mutations';
import { EXPORT_ACCOUNT, exportHandler } from './collect-export';
import { DELETE_ACCOUNT, deleteAccountHandler, SWEEP } from './delete-account';
import { exportDeletionParts, tallySwept } from './account-deletion';
import { leavingHandler } from './request-deletion';
import { userSwept } from '../user/account-deletion';
import { sweepHandler } from './sweep';

/** The mutations of leaving and of exports, and the tasks that they enqueue. */
export const accountWrites: WriteFeature = {
  mutations: [AccountMutations],
  tasks: {
    leaving: leavingHandler,
    [DELETE_ACCOUNT]: deleteAccountHandler,
    [SWEEP]: sweepHandler,
    [EXPORT_ACCOUNT]: exportHandler,
  },
  accountDeletion: exportDeletionParts,
  // The last, because a sweep that an earlier version began goes on by the number of a table.
  swept: [...tallySwept, ...userSwept],
};
