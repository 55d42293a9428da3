import { createHash } from 'node:crypto';

/** Returns the key of the receipt of a user's deletion: only somebody who knows the id finds it, and it names nobody. */
export function receiptOf(userId: string): string {
  return createHash('sha256').update(userId).digest('hex');
}
