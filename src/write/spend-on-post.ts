import { isKeyUsed } from '../kit/writes/idempotency';
import type { WriteServices } from './write-services';

/** How many bytes an input has, as JSON in UTF-8. */
export function inputBytes(input: object): number {
  return Buffer.byteLength(JSON.stringify(input));
}

/**
 * Makes a tweet, article or comment of a user, unless the user's quotas have too little left. If an earlier call with the same key has made
 * it, it is free.
 */
export function spendOnPost<T>(
  { database, quotas }: WriteServices,
  userId: string,
  input: { readonly idempotencyKey?: string | null },
  make: () => Promise<T>,
  timeOf: (made: T) => Date,
): Promise<T> {
  const began = new Date();
  const amounts = { posts: 1, bytes: inputBytes(input) };
  // A client that has not heard the answer to its last post must be able to get it by the same call.
  const isFree = () => isKeyUsed(database, userId, input.idempotencyKey ?? '');
  return quotas.spend(userId, amounts, make, (made) => timeOf(made) >= began, isFree);
}
