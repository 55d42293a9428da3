import { rateLimited } from '../base/errors';
import { createCounts } from '../rate-limits/counts';

/** How many times as much the callers without a token of one IPv6 network may have by default: of a /64, a /56 and a /48. */
const NETWORK_SHARES = [1, 4, 16];

/** Seconds after which a caller that has too many should try again. */
const RETRY_AFTER_SECONDS = 1;

/**
 * Creates the function that counts one more open thing for a caller and for the wider networks of its address, until the returned function
 * is called. It throws `RATE_LIMITED`, and counts nothing, if one of them has too many; 0 as the most is no limit.
 */
export function createNetworkCounts(
  maxOfCaller: number,
  what: string,
  refused: () => void,
  shares: readonly number[] = NETWORK_SHARES,
): (owners: readonly string[]) => () => void {
  const limits = shares.map((share) => ({
    most: share * maxOfCaller,
    counts: createCounts(maxOfCaller === 0 ? Infinity : share * maxOfCaller),
  }));
  return (owners) => {
    const entered: (() => void)[] = [];
    const leave = () => {
      for (const remove of entered.splice(0)) remove();
    };
    owners.forEach((owner, index) => {
      const { most = 0, counts } = limits[index] ?? {};
      if (counts?.add(owner) === true) {
        entered.push(() => {
          counts.remove(owner);
        });
        return;
      }
      leave();
      refused();
      const who = index === 0 ? 'A caller' : `The callers without a token of the network ${owner}`;
      throw rateLimited(
        `${who} may have ${most} ${what} at once, and this one would be one more. Try again in ${RETRY_AFTER_SECONDS} s, or when one of them has ended.`,
        RETRY_AFTER_SECONDS,
      );
    });
    return leave;
  };
}
