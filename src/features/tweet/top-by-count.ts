import { BEFORE_ALL_IDS, MAX_ID } from '../../kit/base/ids';
import { magnitudeOf, mostOf } from '../../kit/base/magnitude';
import type { RankedTweet, TopReading } from './top-reading';
import { mergeOwners } from './top-merge';
import { findStartRow, type TopPosition, type TopRow } from './top-position';
import { listAndGetLikes, readLikes, visibleTweets, type LikedRows, type LikedSlice } from './top-tweets';

/** The greatest magnitude that is read count by count: 64 to 127 likes. A page compares about as many tweets for each item as a magnitude has counts. */
const MAX_MAGNITUDE_BY_COUNT = 7;
/** How many tweets are compared at first for each that is needed. */
const COMPARED_PER_ITEM = 2;
/** The part of a page's reads that may be for comparing. The rest is for the tweets of the page and for the opposite page. */
const MAX_COMPARED_PART = 0.75;

/** Whether a list goes on count by count from a position. Clients can make up positions. */
export function isReadByCount({ isByCount = false, likes }: TopPosition): boolean {
  const magnitude = magnitudeOf(likes);
  return isByCount && magnitude > 1 && magnitude <= MAX_MAGNITUDE_BY_COUNT;
}

/** Returns where reading a magnitude count by count begins; null if the magnitude has too many counts. */
export function startByCount(
  magnitude: number,
  from: TopPosition | null,
  reversed: boolean,
): TopPosition | null {
  if (magnitude < 2 || magnitude > MAX_MAGNITUDE_BY_COUNT) return null;
  if (from !== null && magnitudeOf(from.likes) === magnitude) return { ...from, isByCount: true };
  return { ...beginMagnitudeAt(magnitude, reversed), isByCount: true };
}

/** The position at which a magnitude begins, in the direction of reading. */
function beginMagnitudeAt(magnitude: number, reversed: boolean): TopPosition {
  return reversed
    ? { likes: mostOf(magnitude - 1) + 1, bucket: 0, tweetId: BEFORE_ALL_IDS }
    : { likes: mostOf(magnitude), bucket: 0, tweetId: MAX_ID };
}

/**
 * Reads the tweets of one magnitude count by count: first those with the most likes. For each count it compares the tweets of the
 * magnitude in order of their ids, so a page can end at any of them. It ends after half of what the page may read.
 */
export async function readByCount<N>(
  reading: TopReading<N>,
  { from, reversed, limit }: LikedSlice & { readonly from: TopPosition },
): Promise<LikedRows> {
  const { load, bounds } = reading;
  const magnitude = magnitudeOf(from.likes);
  const start = findStartRow({ ...from, likes: mostOf(magnitude) }, reversed);
  const isWhole = from.tweetId === beginMagnitudeAt(magnitude, reversed).tweetId;
  const found: RankedTweet[] = [];
  let after: TopRow = isWhole ? start : { magnitude, tweetId: from.tweetId };
  for (let likes: number | undefined = from.likes; likes !== undefined;) {
    const counts = new Set<number>();
    for await (const { tweets, end, isCut } of compareTweets(reading, magnitude, after, reversed, limit)) {
      for (const tweet of tweets) counts.add(tweet.likes);
      const having = tweets.filter((tweet) => tweet.likes === likes);
      const candidates = having.map((tweet): TopPosition => ({ ...tweet, bucket: 0, isByCount: true }));
      const visible = await visibleTweets(reading, candidates, limit - found.length);
      found.push(...visible.tweets);
      const last = found[limit - 1];
      if (last !== undefined) return { rows: found, next: last };
      if (visible.cutAt !== null) return { rows: found, next: visible.cutAt, isCut: true };
      if (isCut || load.used().reads > bounds.max.reads / 2)
        return { rows: found, next: { likes, bucket: 0, tweetId: end, isByCount: true }, isCut: true };
    }
    // The rows from the beginning of the magnitude tell which counts there are.
    likes = nextCount(likes, magnitude, reversed, after === start ? counts : null);
    after = start;
  }
  return { rows: found, next: beginMagnitudeAt(magnitude + (reversed ? 1 : -1), reversed) };
}

/** The count of a magnitude that is read after another one: of those in `counts`, if these are known. Undefined after the last one. */
function nextCount(
  likes: number,
  magnitude: number,
  reversed: boolean,
  counts: ReadonlySet<number> | null,
): number | undefined {
  const step = reversed ? 1 : -1;
  for (let next = likes + step; magnitudeOf(next) === magnitude; next += step)
    if (counts === null || counts.has(next)) return next;
  return undefined;
}

/** Some tweets of a magnitude, in order of their ids. */
interface Compared {
  readonly tweets: readonly { readonly tweetId: string; readonly likes: number }[];
  /** The id up to which the magnitude was read. */
  readonly end: string;
  /** Whether a bound of an owner ended the read there. */
  readonly isCut: boolean;
}

/** Compares the tweets of a magnitude after a row: reads their likes, a few at first. */
async function* compareTweets<N>(
  reading: TopReading<N>,
  magnitude: number,
  after: TopRow,
  reversed: boolean,
  limit: number,
): AsyncGenerator<Compared, undefined> {
  const { load, bounds, listed } = reading;
  const affordable = Math.floor(MAX_COMPARED_PART * bounds.max.reads);
  let size = COMPARED_PER_ITEM * limit;
  for await (const round of mergeOwners(reading, after, reversed)) {
    const ids = round.complete.filter((row) => row.magnitude === magnitude).map(({ tweetId }) => tweetId);
    for (let n = 0; n < ids.length; size *= 2) {
      // A compared tweet may also be read.
      const most = Math.max(1, Math.min(size, Math.floor((affordable - load.used().reads) / 2)));
      const some = ids.slice(n, (n += most));
      const counts = await readLikes(load, some);
      const tweets = some.map((tweetId, index) => ({
        tweetId,
        likes: listAndGetLikes({ magnitude, tweetId }, counts[index] ?? 0, listed),
      }));
      yield { tweets, end: some.at(-1) ?? '', isCut: false };
    }
    const { end } = round;
    if (end === undefined || end.magnitude !== magnitude) return;
    if (round.isCut) yield { tweets: [], end: end.tweetId, isCut: true };
  }
}
