import { MAX_ID } from '../kit/base/ids';
import { unitNames } from '../kit/cost/cost';
import { limitLoad } from '../kit/cost/limit-load';
import { badInput, tooLarge } from '../kit/base/errors';
import type { Load } from '../kit/data/load';
import type { Period } from '../kit/base/period';
import { minuteOf, tweetFrequency, tweetsByMinute } from './frequency.table';
import { frequencyCost, MAX_POINTS, rangesOf } from './frequency-reads';
import { FrequencyUnit, lengths, periods, SMALLER, startOf } from './unit';

/** How many tweets of a language were posted in a range that began at `at`. */
export interface FrequencyPoint {
  readonly at: Date;
  readonly language: string;
  readonly count: number;
}

/**
 * How many tweets were posted in each range of a period, by language; ranges without tweets are included. Counts one language
 * or, with null, every one that has tweets. Throws `BAD_USER_INPUT` for more than 10,000 points.
 */
export async function frequencyOf(
  given: Load,
  { from, to }: Period,
  unit: FrequencyUnit,
  language: string | null,
): Promise<FrequencyPoint[]> {
  const max = frequencyCost({ from, to }, unit);
  const load = limitLoad(given, max, (bound, costUnit) =>
    tooLarge(
      `A period of ${unit} may read ${bound[costUnit]} ${unitNames[costUnit]}, but this one would read more: ask for a shorter period.`,
    ),
  );
  const length = lengths[unit];
  const first = Number(startOf(unit, from));
  const ranges = rangesOf({ from, to }, unit);
  refuseMoreThan(ranges, unit, 1);
  if (from >= to) return [];
  const sums = new Map<string, number>();
  const languages = new Set(language === null ? [] : [language]);
  for (const point of await countsOf(load, unit, Number(from), Number(to))) {
    if (language !== null && point.language !== language) continue;
    languages.add(point.language);
    const key = `${point.language} ${Number(startOf(unit, point.at))}`;
    sums.set(key, (sums.get(key) ?? 0) + point.count);
  }
  refuseMoreThan(ranges * languages.size, unit, languages.size);
  const sorted = [...languages].sort();
  return Array.from({ length: ranges }, (_, index) => first + index * length).flatMap((at) =>
    sorted.map((tag) => ({ at: new Date(at), language: tag, count: sums.get(`${tag} ${at}`) ?? 0 })),
  );
}

function refuseMoreThan(points: number, unit: FrequencyUnit, languages: number): void {
  if (points <= MAX_POINTS) return;
  const fitting = Object.values(FrequencyUnit).find(
    (larger) => (points * lengths[unit]) / lengths[larger] <= MAX_POINTS - 2 * languages,
  );
  const ofOne = languages > 1 ? 'ask for one language, or for a shorter period' : 'ask for a shorter period';
  const advice =
    fitting === undefined
      ? `no unit fits, ${ofOne}`
      : `unit ${fitting} fits${languages > 1 ? '' : ' for one language'}`;
  throw badInput(`There are at most ${MAX_POINTS} points, but these would be ${points}: ${advice}.`);
}

/** Reads the counts of whole units within a period, and those of smaller units, down to single tweets, at its edges. */
async function countsOf(
  load: Load,
  unit: FrequencyUnit | null,
  from: number,
  to: number,
): Promise<FrequencyPoint[]> {
  if (from >= to) return [];
  if (unit === null) return countTweets(load, from, to);
  const length = lengths[unit];
  const first = Math.ceil(from / length) * length;
  const last = Math.floor(to / length) * length;
  if (first > last) return countsOf(load, SMALLER[unit], from, to);
  const pieces = await Promise.all([
    countsOf(load, SMALLER[unit], from, first),
    first < last ? readUnits(load, unit, first, last) : [],
    countsOf(load, SMALLER[unit], last, to),
  ]);
  return pieces.flat();
}

/** How many rows of a partition are read at a time. */
const PAGE_ROWS = 5000;
/** How many languages a range is expected to have: the first read of a short period asks for so many rows for each range. */
const EXPECTED_LANGUAGES = 30;

async function readUnits(
  load: Load,
  unit: FrequencyUnit,
  from: number,
  to: number,
): Promise<FrequencyPoint[]> {
  const periodOf = periods[unit];
  const [first, last] = [periodOf(new Date(from)), periodOf(new Date(to - 1))];
  const firstRows = Math.min(PAGE_ROWS, ((to - from) / lengths[unit]) * EXPECTED_LANGUAGES);
  const read = async (period: number) => {
    const points: FrequencyPoint[] = [];
    let after: readonly unknown[] = [new Date(from), ''];
    for (let limit = firstRows; ; limit = PAGE_ROWS) {
      const rows = await load(tweetFrequency.page, { unit, period, after, limit });
      for (const { at, language, imported, posted } of rows)
        if (Number(at) < to) points.push({ at, language, count: (imported ?? 0) + (posted ?? 0) });
      const end = rows.at(-1);
      if (rows.length < limit || end === undefined || Number(end.at) >= to) break;
      after = [end.at, end.language];
    }
    return points.filter(({ count }) => count !== 0);
  };
  return (
    await Promise.all(Array.from({ length: last - first + 1 }, (_, index) => read(first + index)))
  ).flat();
}

/** Reads the tweets between two moments of a minute, each as a point. */
async function countTweets(load: Load, from: number, to: number): Promise<FrequencyPoint[]> {
  const minute = minuteOf(new Date(from));
  const points: FrequencyPoint[] = [];
  for (let after: readonly unknown[] = [new Date(from - 1), MAX_ID]; ;) {
    const rows = await load(tweetsByMinute.page, { minute, after, limit: PAGE_ROWS });
    for (const { createdAt: at, language } of rows)
      if (Number(at) < to) points.push({ at, language: language ?? 'und', count: 1 });
    const end = rows.at(-1);
    if (rows.length < PAGE_ROWS || end === undefined || Number(end.createdAt) >= to) return points;
    after = [end.createdAt, end.tweetId];
  }
}
