import { flag, id, int, text, timestamp } from '../../kit/cassandra/column';
import { table } from '../../kit/cassandra/table';

/** Who was suspended, and who is not any more, in the order of time: the last row of a user counts. */
export const suspensions = table(
  'suspensions',
  { shard: int, changedAt: timestamp, userId: id, suspended: flag },
  { partition: ['shard'], clustering: ['changedAt', 'userId'], order: 'asc' },
);

/** What moderators did: the audit log. `target` is the id of a user or tweet, `actor` who did it. */
export const moderationActs = table(
  'moderation_acts',
  { month: int, actedAt: timestamp, target: id, act: text, actor: text, reason: text },
  { partition: ['month'], clustering: ['actedAt', 'target'], order: 'desc' },
);
