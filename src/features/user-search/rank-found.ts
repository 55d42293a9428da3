import { compareIds } from '../../kit/base/ids';

/** Somebody whom a search has found. */
export interface FoundUser {
  readonly userId: string;
  readonly username: string;
  readonly name: string;
  /** The name as lists are sorted by it. */
  readonly sortName: string;
  /** 32 less the magnitude of the followers. */
  readonly rank: number;
  readonly tier: Tier;
}

/** The ways in which a user was found, best first: by the whole username, or as somebody whom the viewer follows, and so on. */
export enum Tier {
  EXACT,
  FOLLOWED,
  FOLLOWER,
  OTHER,
}

/**
 * Compares found users: first the user with that username, then those whom the viewer follows, then those who follow the viewer, then
 * others, by the magnitude of their followers. Within each by name, then by id.
 */
export function compareFound(a: FoundUser, b: FoundUser): number {
  return (
    a.tier - b.tier ||
    (a.tier === Tier.OTHER ? a.rank - b.rank : 0) ||
    compareTexts(a.sortName, b.sortName) ||
    compareIds(a.userId, b.userId)
  );
}

/** Compares texts as Cassandra does: by their bytes of UTF-8, which is by code points. A search compares thousands of names. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let n = 0; n < length; n++) {
    const difference = rankOf(a.charCodeAt(n)) - rankOf(b.charCodeAt(n));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** The place of a unit of UTF-16 in the order of code points: surrogates, of which the later code points consist, come last. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
