import { ClientError } from '../base/errors';

/** The longest delay of a timer. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Calls a function when a token expires. One that is valid for more than three weeks is not waited for. */
export function expiringTimer(expiresAt: number, expire: () => void): NodeJS.Timeout | undefined {
  const left = expiresAt - Date.now();
  return left > MAX_DELAY_MS ? undefined : setTimeout(expire, Math.max(0, left)).unref();
}

/** The error that ends a subscription when its token expires. */
export function tokenExpired(): ClientError {
  return new ClientError('UNAUTHENTICATED', 'The token has expired: subscribe again with a new one.');
}
