import { BEFORE_ALL_IDS, compareIds, MAX_ID } from '../../kit/base/ids';
import { badInput } from '../../kit/base/errors';
import { MAX_MAGNITUDE, magnitudeOf, mostOf } from '../../kit/base/magnitude';

/** A tweet that reached a magnitude of likes: see `magnitudeOf`. */
export interface TopRow {
  readonly magnitude: number;
  readonly tweetId: string;
}

/** The position of a tweet in a list of the most liked. `bucket` is that in the list of the newest; if it has likes, 0 or `BY_COUNT`. */
export interface TopPosition {
  readonly likes: number;
  readonly bucket: number;
  readonly tweetId: string;
}

/** The `bucket` of a position from which a magnitude is read count by count, because it has too many tweets to compare them all. */
export const BY_COUNT = 1;

/** The key of a position in a cursor. */
export function topPositionOf({ likes, bucket, tweetId }: TopPosition): string[] {
  return [String(likes), String(bucket), tweetId];
}

/** Reads a position from the key of a cursor; null without a key. Throws `BAD_USER_INPUT`. */
export function positionIn(key: readonly unknown[] | undefined): TopPosition | null {
  if (key === undefined) return null;
  const [likes, bucket, tweetId] = key.map(String);
  const isNumber = (value: unknown) => typeof value === 'string' && /^\d{1,19}$/.test(value);
  const isFitting = isNumber(key[2]) || tweetId === BEFORE_ALL_IDS;
  if (key.length !== 3 || !isNumber(key[0]) || !isNumber(key[1]) || !isFitting)
    throw badInput('A cursor must be one that this list returned.');
  return { likes: Number(likes), bucket: Number(bucket), tweetId: tweetId ?? '' };
}

/** The position between a magnitude and those before it, in the direction of reading. */
export function positionBefore(magnitude: number, reversed: boolean): TopPosition {
  return { likes: mostOf(reversed ? magnitude - 1 : magnitude), bucket: 0, tweetId: MAX_ID };
}

/** The row after which reading begins: before the position's magnitude or, for tweets with one like, at the position. */
export function startRowOf(from: TopPosition | null, reversed: boolean): TopRow {
  if (from?.likes === 1 && from.tweetId !== MAX_ID) return { magnitude: 1, tweetId: from.tweetId };
  const nearest = from === null ? (reversed ? 1 : MAX_MAGNITUDE) : magnitudeOf(from.likes);
  if (!reversed) return { magnitude: nearest + 1, tweetId: '0' };
  const isPassed = from?.tweetId === MAX_ID && from.likes === mostOf(nearest);
  return { magnitude: isPassed ? nearest : nearest - 1, tweetId: MAX_ID };
}

/** Orders positions: fewer likes first, then lower ids. */
export function comparePositions(a: Omit<TopPosition, 'bucket'>, b: Omit<TopPosition, 'bucket'>): number {
  return a.likes - b.likes || compareIds(a.tweetId, b.tweetId);
}

/** Orders rows: lower magnitudes first, then lower ids. */
export function compareRows(a: TopRow, b: TopRow): number {
  return a.magnitude - b.magnitude || compareIds(a.tweetId, b.tweetId);
}
