import { id, int, optional, text } from '../../kit/cassandra/column';
import { table } from '../../kit/cassandra/table';

/** The counts that the source of an imported tweet gave, as earlier versions stored them. Those with its record are newer. */
export const importedCounts = table(
  'imported_counts',
  {
    tweetId: id,
    importedLikes: optional(int),
    importedShares: optional(int),
    importedReplies: optional(int),
  },
  { partition: ['tweetId'] },
);

/** The imports that have written rows and not yet settled them. All are in one partition. */
export const unsettledImports = table(
  'unsettled_imports',
  { shard: int, run: text },
  { partition: ['shard'], clustering: ['run'], order: 'asc' },
);
