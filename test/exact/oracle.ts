import { foldedHashtag } from '../../src/features/search/terms';
import { searchedWords } from '../../src/features/search/words';
import type { Known } from './known';
import { hasPoint, type Area } from '../support/areas';
import type { FrequencyQuestion } from './questions';

export type Order = 'NEWEST' | 'MOST_LIKED';
export const units = { MINUTE: 60_000, HOUR: 3_600_000, DAY: 86_400_000 };
export type Unit = keyof typeof units;

/** A range of time in milliseconds since 1970, without its end. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

export interface Point {
  readonly at: string;
  readonly language: string | null;
  readonly count: number;
}

/** An answer has at most this many points. */
const MAX_POINTS = 10_000;
const MAX_LANGUAGES = 200;

/** Answers questions by going through all tweets in memory. */
export class Oracle {
  constructor(readonly tweets: readonly Known[]) {}

  /** The ids of the tweets that have all words. */
  search(words: readonly string[], order: Order): string[] {
    const { terms, isFoundIn } = searchedWords(words);
    return idsIn(
      order,
      this.tweets.filter((tweet) => terms.every((term) => tweet.terms.has(term)) && isFoundIn(tweet)),
    );
  }

  /** The ids of the tweets of a hashtag; null if no tweet has it. */
  hashtag(name: string, order: Order): string[] | null {
    const term = foldedHashtag(name);
    const tweets = this.tweets.filter(({ hashtags }) => hashtags.includes(term));
    return tweets.length === 0 ? null : idsIn(order, tweets);
  }

  /** The points of a period; null if there would be too many. */
  frequency({ from, to, unit, language, byLanguage }: FrequencyQuestion): Point[] | null {
    const length = units[unit];
    const counts = new Map<string, number>();
    const isOfAll = language === null && !byLanguage;
    const totals = new Map<string | null, number>();
    const totalOf = (code: string | null) => totals.get(code) ?? 0;
    const languages = new Set(language === null && byLanguage ? [] : [language]);
    for (const tweet of this.tweets) {
      if (tweet.time < from || tweet.time >= to) continue;
      if (language !== null && tweet.language !== language) continue;
      const counted = isOfAll ? null : tweet.language;
      languages.add(counted);
      totals.set(counted, totalOf(counted) + 1);
      const key = `${tweet.time - (tweet.time % length)} ${counted}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const first = from - (from % length);
    const ranges = Math.ceil((to - first) / length);
    const shown = [...languages]
      .sort((a, b) => totalOf(b) - totalOf(a) || ((a ?? '') < (b ?? '') ? -1 : 1))
      .slice(0, MAX_LANGUAGES);
    if (Math.max(1, shown.length) * ranges > MAX_POINTS) return null;
    const points: Point[] = [];
    for (let at = first; at < to; at += length)
      for (const code of shown.toSorted())
        points.push({
          at: new Date(at).toISOString(),
          language: code,
          count: counts.get(`${at} ${code}`) ?? 0,
        });
    return points;
  }

  /** The ids of the tweets in a box and a period, newest first. */
  area(area: Area, window: Window): string[] {
    const tweets = this.#within(area, window);
    return tweets
      .sort((a, b) => b.time - a.time || (b.order > a.order ? 1 : -1))
      .map(({ tweetId }) => tweetId);
  }

  /** The number of tweets in each geohash of a box and a period, as sorted lines of `geohash latitude longitude count`. */
  heatmap(area: Area, window: Window, precision: number): string[] {
    const counts = new Map<string, number>();
    for (const { place } of this.#within(area, window)) {
      const cell = place ? cellOf(place.latitude, place.longitude, precision) : '';
      counts.set(cell, (counts.get(cell) ?? 0) + 1);
    }
    return [...counts].map(([cell, count]) => `${cell} ${count}`).sort();
  }

  #within(area: Area, { from, to }: Window): Known[] {
    return this.tweets.filter(
      ({ place, time }) =>
        place !== null && time >= from && time < to && hasPoint(area, place.latitude, place.longitude),
    );
  }
}

function idsIn(order: Order, tweets: readonly Known[]): string[] {
  const newest = (a: Known, b: Known) => (b.order > a.order ? 1 : -1);
  const sorted =
    order === 'NEWEST'
      ? [...tweets].sort(newest)
      : tweets.filter(({ isShare }) => !isShare).sort((a, b) => b.likes - a.likes || newest(a, b));
  return sorted.map(({ tweetId }) => tweetId);
}

const DIGITS = '0123456789bcdefghjkmnpqrstuvwxyz';

/** The geohash of a point and the centre of its cell. Longitude and latitude are halved in turns, five times for each digit. */
export function cellOf(latitude: number, longitude: number, precision: number): string {
  const sides = [
    { low: -180, high: 180, value: longitude },
    { low: -90, high: 90, value: latitude },
  ];
  let hash = '';
  for (let digit = 0; digit < precision; digit++) {
    let bits = 0;
    for (let bit = 0; bit < 5; bit++) {
      const side = sides[(digit * 5 + bit) % 2] ?? { low: 0, high: 0, value: 0 };
      const middle = (side.low + side.high) / 2;
      const isAbove = side.value >= middle;
      bits = bits * 2 + Number(isAbove);
      if (isAbove) side.low = middle;
      else side.high = middle;
    }
    hash += DIGITS[bits] ?? '';
  }
  const [lon, lat] = sides.map(({ low, high }) => (low + high) / 2);
  return `${hash} ${lat} ${lon}`;
}

/** Parses JSON, with integers that a float cannot represent as strings. */
export function rawOf(json: string): unknown {
  const kept = json.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
  return JSON.parse(kept);
}
