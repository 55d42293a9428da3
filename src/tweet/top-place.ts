import { compareIds, LARGEST_ID } from '../kit/base/ids';
import { badInput } from '../kit/base/errors';
import { MAX_MAGNITUDE, magnitudeOf } from '../kit/base/magnitude';

/** A power of two of likes, with a tweet that came to it. */
export interface TopRow {
  readonly magnitude: number;
  readonly tweetId: string;
}

/** Where a tweet stands in a list of the most liked. */
export interface TopPosition {
  readonly likes: number;
  readonly month: number;
  readonly tweetId: string;
}

/** Reads a place from a cursor; null for none. Throws `BAD_USER_INPUT`. */
export function placeIn(key: readonly unknown[] | undefined): TopPosition | null {
  if (key === undefined) return null;
  const [likes, month, tweetId] = key.map(String);
  if (key.length !== 3 || !key.every((value) => typeof value === 'string' && /^\d{1,19}$/.test(value)))
    throw badInput('A cursor must be one that this list gave.');
  return { likes: Number(likes), month: Number(month), tweetId: tweetId ?? '' };
}

/** Where a page goes on that was cut: within the tweets with one like, or where a magnitude begins. */
export function positionAt({ magnitude, tweetId }: TopRow): [likes: string, month: string, tweetId: string] {
  return magnitude === 1 ? ['1', '0', tweetId] : [String(2 ** magnitude - 1), '0', LARGEST_ID];
}

/** Behind which row reading begins: where the place's magnitude does, or, where all have one like, at the place. */
export function startOf(from: TopPosition | null, reversed: boolean): TopRow {
  if (from?.likes === 1) return { magnitude: 1, tweetId: from.tweetId };
  const nearest = from === null ? (reversed ? 1 : MAX_MAGNITUDE) : magnitudeOf(from.likes);
  return reversed
    ? { magnitude: nearest - 1, tweetId: LARGEST_ID }
    : { magnitude: nearest + 1, tweetId: '0' };
}

/** Orders places: fewer likes first, then lower ids. */
export function comparePositions(a: Omit<TopPosition, 'month'>, b: Omit<TopPosition, 'month'>): number {
  return a.likes - b.likes || compareIds(a.tweetId, b.tweetId);
}

/** Orders rows: lower powers first, then lower ids. */
export function compareRows(a: TopRow, b: TopRow): number {
  return a.magnitude - b.magnitude || compareIds(a.tweetId, b.tweetId);
}
