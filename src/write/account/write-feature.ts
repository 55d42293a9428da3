import type { WriteFeature } from '../write-feature';
import { AccountMutations } from './account.mutations';
import { DELETE_ACCOUNT, deleteAccountHandler, SWEEP } from './delete-account';
import { tallySwept } from './leaving';
import { leavingHandler } from './request-deletion';
import { sweepHandler } from './sweep';

/** The mutations of leaving, and the tasks that they enqueue. */
export const accountWrites: WriteFeature = {
  mutations: [AccountMutations],
  tasks: { leaving: leavingHandler, [DELETE_ACCOUNT]: deleteAccountHandler, [SWEEP]: sweepHandler },
  swept: tallySwept,
};
