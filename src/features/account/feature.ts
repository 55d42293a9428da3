import type { Feature } from '../feature';
import { AccountResolver } from './account.resolver';
import {
  accountDeletions,
  accountExports,
  deletionReceipts,
  exportChunks,
  leavingUsers,
} from './account.table';

/** Leaving: the deletion of accounts, and the export of what people have. */
export const accountFeature: Feature = {
  title: 'Leaving',
  tables: [accountDeletions, leavingUsers, deletionReceipts, accountExports, exportChunks],
  resolvers: [AccountResolver],
};
