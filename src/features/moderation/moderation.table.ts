import { flag, idOf, int, label, text, timestamp } from '../../kit/cassandra/column';
import { table } from '../../kit/cassandra/table';

/** The greatest size of a reason in bytes. */
export const MAX_REASON_BYTES = 10_000;
/** The greatest size of the name of a moderator in bytes: an issuer and a subject, which come in a header. */
const MAX_ACTOR_BYTES = 32_768;

/** The users who were suspended, and those who are not any more, in the order of time: the last row of a user counts. */
export const suspensions = table(
  'suspensions',
  { shard: int, changedAt: timestamp, userId: idOf('User'), suspended: flag },
  {
    role: { kind: 'truth', why: 'it says who is suspended' },
    writeLoad: {
      rows: { moderation: 1 },
      bytes: 40,
      spread: { over: 'nothing' },
      reads: { everySeconds: 2, seconds: 4 },
    },
    partition: ['shard'],
    clustering: ['changedAt', 'userId'],
    order: 'asc',
  },
);

/** The acts of moderators: the audit log. `target` is the id of a user or tweet, `actor` the moderator. */
export const moderationActs = table(
  'moderation_acts',
  {
    month: int,
    actedAt: timestamp,
    target: idOf('User', 'Tweet'),
    act: label,
    actor: text(MAX_ACTOR_BYTES),
    reason: text(MAX_REASON_BYTES),
  },
  {
    role: { kind: 'truth', why: 'it says what moderators did' },
    writeLoad: { rows: { moderation: 1 }, bytes: 250, spread: { over: 'time', seconds: 31 * 86_400 } },
    partition: ['month'],
    clustering: ['actedAt', 'target'],
    order: 'desc',
  },
);
