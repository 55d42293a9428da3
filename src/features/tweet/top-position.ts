import { BEFORE_ALL_IDS, compareIds, MAX_ID } from '../../kit/base/ids';
import { badInput } from '../../kit/base/errors';
import { MAX_MAGNITUDE, magnitudeOf, mostOf } from '../../kit/base/magnitude';

/** A tweet that reached a magnitude of likes: see `magnitudeOf`. */
export interface TopRow {
  readonly magnitude: number;
  readonly tweetId: string;
}

/** The position of a tweet in a list of the most liked. */
export interface TopPosition {
  readonly likes: number;
  /** The bucket of a tweet without likes in the list of the newest; 0 if the tweet has likes. */
  readonly bucket: number;
  readonly tweetId: string;
  /** Whether the magnitude of its likes is read count by count, because it has too many tweets to compare them all. */
  readonly isByCount?: boolean;
}

/** The key of a position in a cursor. */
export function encodeTopPosition({ likes, bucket, tweetId, isByCount = false }: TopPosition): string[] {
  return [String(likes), isByCount ? BY_COUNT : String(bucket), tweetId];
}

/** The sign in a cursor's key in place of the bucket of a tweet with likes, if its magnitude is read count by count. */
const BY_COUNT = '1';

/** Reads a position from the key of a cursor; null without a key. Throws `BAD_USER_INPUT`. */
export function decodeTopPosition(key: readonly unknown[] | undefined): TopPosition | null {
  if (key === undefined) return null;
  const [likes, bucket, tweetId] = key.map(String);
  const isNumber = (value: unknown) => typeof value === 'string' && /^\d{1,19}$/.test(value);
  const isFitting = isNumber(key[2]) || tweetId === BEFORE_ALL_IDS;
  if (key.length !== 3 || !isNumber(key[0]) || !isNumber(key[1]) || !isFitting)
    throw badInput('A cursor must be one that this list returned.');
  const position = { likes: Number(likes), tweetId: tweetId ?? '' };
  return position.likes === 0
    ? { ...position, bucket: Number(bucket) }
    : { ...position, bucket: 0, isByCount: bucket === BY_COUNT };
}

/** The position between a magnitude and those before it, in the direction of reading. */
export function positionBefore(magnitude: number, reversed: boolean): TopPosition {
  return { likes: mostOf(reversed ? magnitude - 1 : magnitude), bucket: 0, tweetId: MAX_ID };
}

/** The row after which reading begins: before the position's magnitude or, for tweets with one like, at the position. */
export function findStartRow(from: TopPosition | null, reversed: boolean): TopRow {
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
