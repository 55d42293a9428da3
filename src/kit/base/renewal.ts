/** How long a lease lasts that is renewed at the usual intervals. */
export const LEASE_SECONDS = 15;
const RENEWAL_MS = 4000;

/**
 * Renews what would expire, at intervals and until the returned function is called. Renewals do not wait for each other, and after one
 * that fails there is the next.
 */
export function keepRenewing(renew: () => Promise<unknown>, everyMs = RENEWAL_MS): () => void {
  const timer = setInterval(() => void renew().catch(() => undefined), everyMs).unref();
  return () => {
    clearInterval(timer);
  };
}
