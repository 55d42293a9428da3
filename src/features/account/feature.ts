import type { Feature } from '../feature';
import { AccountResolver } from './account.resolver';
import { accountDeletions, deletionReceipts, leavingUsers } from './account.table';

/** Leaving: the deletion of accounts. */
export const accountFeature: Feature = {
  title: 'Leaving',
  tables: [accountDeletions, leavingUsers, deletionReceipts],
  resolvers: [AccountResolver],
};
