import { magnitudeOf, mostOf } from '../kit/base/magnitude';
import { MAX_ID } from '../kit/base/ids';
import type { Cost } from '../kit/cost/cost';
import type { LimitedLoad } from '../kit/cost/limit-load';
import type { RankedTweet, TopBounds, TopSources } from './top-list';
import { mergeOwners } from './top-merge';
import { BY_COUNT, startRowOf, type TopPosition, type TopRow } from './top-position';
import { likesOf, visibleTweets, type LikedRows, type LikedSlice } from './top-tweets';

/** The greatest magnitude that is read count by count: 64 to 127 likes. The tweets of each count are a part of all that are compared. */
const MAX_MAGNITUDE = 7;
/** How many rows are read at first, of all owners together. */
const FIRST_ROWS = 200;
/** How many tweets are compared at first for each that is needed. */
const COMPARED_PER_ITEM = 2;

/** Of what a page may read, the part that may be for comparing. The others are for the tweets of the page, and to find out whether there is an opposite page. */
const MAX_COMPARED_PART = 0.75;

/** Whether a list goes on count by count from a position. Clients can make up positions. */
export function isReadByCount({ bucket, likes }: TopPosition): boolean {
  const magnitude = magnitudeOf(likes);
  return bucket === BY_COUNT && magnitude > 1 && magnitude <= MAX_MAGNITUDE;
}

/** Where reading a magnitude count by count begins; null if the magnitude has too many counts. */
export function startByCount(
  magnitude: number,
  from: TopPosition | null,
  reversed: boolean,
): TopPosition | null {
  if (magnitude < 2 || magnitude > MAX_MAGNITUDE) return null;
  if (from !== null && magnitudeOf(from.likes) === magnitude) return { ...from, bucket: BY_COUNT };
  return reversed
    ? { likes: mostOf(magnitude - 1) + 1, bucket: BY_COUNT, tweetId: BEFORE_ALL_IDS }
    : { likes: mostOf(magnitude), bucket: BY_COUNT, tweetId: MAX_ID };
}

/** Less than all ids. */
const BEFORE_ALL_IDS = '-1';

/**
 * Reads the tweets of one magnitude count by count: first those with the most likes. For each count it compares the tweets of the
 * magnitude in order of their ids, so a page can end at any of them. It ends after half of what the page may read.
 */
export async function readByCount<N>(
  load: LimitedLoad,
  sources: TopSources<N>,
  { max }: TopBounds,
  { from, reversed, limit }: LikedSlice & { readonly from: TopPosition },
): Promise<LikedRows> {
  const magnitude = magnitudeOf(from.likes);
  const [least, most] = [mostOf(magnitude - 1) + 1, mostOf(magnitude)];
  const start = startRowOf({ ...from, likes: least }, reversed);
  const found: RankedTweet[] = [];
  let after: TopRow = { magnitude, tweetId: from.tweetId };
  for (let likes = from.likes; likes >= least && likes <= most; likes += reversed ? 1 : -1) {
    const compared = compareTweets(load, sources, max, { magnitude, after, reversed, limit });
    for await (const { tweets, end, isCut } of compared) {
      const having = tweets
        .filter((tweet) => tweet.likes === likes)
        .map((tweet) => ({ ...tweet, bucket: BY_COUNT }));
      found.push(...(await visibleTweets(load, having, limit - found.length, sources.isVisible)));
      const last = found[limit - 1];
      if (last !== undefined) return { rows: found, next: last };
      if (isCut || load.used().reads > max.reads / 2)
        return { rows: found, next: { likes, bucket: BY_COUNT, tweetId: end }, isCut: true };
    }
    after = start;
  }
  const next = reversed
    ? { likes: most + 1, bucket: 0, tweetId: BEFORE_ALL_IDS }
    : { likes: least - 1, bucket: 0, tweetId: MAX_ID };
  return { rows: found, next };
}

/** Some tweets of a magnitude, in order of their ids. */
interface Compared {
  readonly tweets: readonly { readonly tweetId: string; readonly likes: number }[];
  /** The id up to which the magnitude was read. */
  readonly end: string;
  /** Whether a bound of an owner ended the read there. */
  readonly isCut: boolean;
}

/** Which rows of a magnitude are compared: those after a row. */
interface MagnitudeSlice extends Omit<LikedSlice, 'from'> {
  readonly magnitude: number;
  readonly after: TopRow;
}

/** Compares tweets of a magnitude: reads their likes, a few at first. */
async function* compareTweets<N>(
  load: LimitedLoad,
  sources: TopSources<N>,
  max: Cost,
  { magnitude, after, reversed, limit }: MagnitudeSlice,
): AsyncGenerator<Compared, undefined> {
  let size = COMPARED_PER_ITEM * limit;
  for await (const round of mergeOwners(load, sources, after, reversed, FIRST_ROWS)) {
    const ids = round.complete.filter((row) => row.magnitude === magnitude).map(({ tweetId }) => tweetId);
    for (let n = 0; n < ids.length; size *= 2) {
      const affordable = Math.floor(MAX_COMPARED_PART * max.reads) - load.used().reads;
      const some = ids.slice(n, (n += Math.max(1, Math.min(size, affordable))));
      const likes = await likesOf(load, some);
      const tweets = some.map((tweetId, index) => ({ tweetId, likes: likes[index] ?? 0 }));
      yield { tweets, end: some.at(-1) ?? '', isCut: false };
    }
    const { end } = round;
    if (end === undefined || end.magnitude !== magnitude) return;
    if (round.isCut) yield { tweets: [], end: end.tweetId, isCut: true };
  }
}
