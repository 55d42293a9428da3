import { createHash } from 'node:crypto';
import type { GroupedKind } from './notification-kind';

/** The properties that the acts of a group have in common: the user who is notified, the kind, and the subject. */
export interface Grouping {
  readonly userId: string;
  readonly kind: GroupedKind;
  readonly subjectId: string;
}

/**
 * Returns the id of a group: the first 63 bits of a hash of its grouping and number, so that a server that knows an act finds its group by
 * one read. Groups of one grouping are numbered from 0.
 */
export function groupId({ userId, kind, subjectId }: Grouping, number: number): string {
  const hash = createHash('sha256').update(`${userId} ${kind} ${subjectId} ${number}`).digest();
  return String(BigInt.asUintN(63, hash.readBigUInt64BE()));
}

const LOW_22_BITS = 0x3f_ffffn;

/**
 * Returns the id of the notification that a tweet or comment makes for somebody. It begins with the time of the tweet's id, so it tells
 * where the notification is listed. Below the time it has the tweet's bits, mixed with the user's.
 */
export function singleId(itemId: string, userId: string): string {
  const hash = createHash('sha256').update(userId).digest().readUInt32BE();
  return String(BigInt(itemId) ^ (BigInt(hash) & LOW_22_BITS));
}
