/** A group takes members for this many milliseconds, counted from its first act. */
export const GROUP_MS = 12 * 3_600_000;
/** The most members that a group takes. */
export const MAX_GROUP_MEMBERS = 10_000;
/** A group is listed anew at most once in this time, in milliseconds. */
const MIN_BETWEEN_LISTINGS_MS = 5 * 60_000;

/** The properties by which a group is listed. */
export interface Listing {
  /** The position in the list; null before it is listed. */
  readonly listedAt: Date | null;
  /** The position before that; null if it never moved. */
  readonly beforeAt: Date | null;
  /** The step at which it was last listed anew. */
  readonly listedCount: number;
}

/** The greatest of 1, 2, 3, 5, 10, 20, 50, 100, 200, 500 … that a number of members has reached; 0 for none. */
export function stepOf(members: number): number {
  if (members < 1) return 0;
  if (members >= 3 && members < 5) return 3;
  const power = 10 ** Math.floor(Math.log10(members) + 1e-9);
  return power * (members >= 5 * power ? 5 : members >= 2 * power ? 2 : 1);
}

/**
 * Returns where a group is listed after its members have changed from one number to another. It moves to the top when it has come to a
 * further step, so that a group of 10,000 leaves 13 tombstones, and not within five minutes of the last move. A group that was empty, and
 * so not in the list, comes back where it was: otherwise, one person could list it anew by taking an act back again and again.
 */
export function listingAfter(listing: Listing, after: number, now: Date): Listing {
  const { listedAt, listedCount } = listing;
  if (listedAt === null)
    return after < 1 ? listing : { listedAt: now, beforeAt: null, listedCount: stepOf(after) };
  const mayMove = Number(now) - Number(listedAt) >= MIN_BETWEEN_LISTINGS_MS;
  if (!mayMove || stepOf(after) <= listedCount) return listing;
  return { listedAt: now, beforeAt: listedAt, listedCount: stepOf(after) };
}
