import { createHash } from 'node:crypto';
import type { GroupedKind } from './notification-kind';

/** What acts must have in common to be one group: whom they are told, their kind, and what they are about. */
export interface Grouping {
  readonly userId: string;
  readonly kind: GroupedKind;
  readonly subjectId: string;
}

/**
 * The id of a group: the first 63 bits of a hash of what it is, so that whoever knows an act finds its group by one read. Groups of one
 * grouping are numbered from 0.
 */
export function groupId({ userId, kind, subjectId }: Grouping, number: number): string {
  const hash = createHash('sha256').update(`${userId} ${kind} ${subjectId} ${number}`).digest();
  return String(BigInt.asUintN(63, hash.readBigUInt64BE()));
}
