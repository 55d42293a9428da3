import { MAX_ID } from '../../kit/base/ids';
import { unitNames, type Cost } from '../../kit/cost/cost';
import { limitLoad, type Growth } from '../../kit/cost/limit-load';
import { badInput, tooLarge } from '../../kit/base/errors';
import type { Load } from '../../kit/reads/load';
import { type Period, minuteOf } from '../../kit/base/period';
import { MINUTE_SHARDS, partOfMinute, cachedFrequency } from './frequency.table';
import {
  frequencyCost,
  MAX_LANGUAGES,
  MAX_POINTS,
  countRanges,
  PAGE_ROWS,
  SHARD_PAGE_ROWS,
} from './frequency-reads';
import { FrequencyUnit, unitLengths, unitPeriods, SMALLER, startOfUnit } from './unit';

/** How many tweets were posted in a range that began at `at`: those of a language, or with null those of all. */
interface FrequencyPoint {
  readonly at: Date;
  readonly language: string | null;
  readonly count: number;
}

/** The tweets that are counted: those of each language that has tweets, of one language, or of all languages together. */
type Counted = 'each' | 'all' | { readonly language: string };

/**
 * Counts the tweets in each range of a period; ranges without tweets are included. If there are more than 200 languages, the rarest in the
 * period are left out. Throws `BAD_USER_INPUT` for more than 10,000 points, before anything is read unless that depends on the number of
 * languages.
 */
export async function readFrequency(
  given: Load,
  { from, to }: Period,
  unit: FrequencyUnit,
  counted: Counted,
  growth?: Growth,
): Promise<FrequencyPoint[]> {
  const refuse = (bound: Cost, costUnit: keyof Cost) =>
    tooLarge(
      `A period of ${unit} may read ${bound[costUnit]} ${unitNames[costUnit]}, but this one would read more: ask for a shorter period.`,
    );
  const load = limitLoad(given, frequencyCost({ from, to }, unit), refuse, growth);
  const ranges = countRanges({ from, to }, unit);
  refuseRanges(ranges, unit, counted);
  if (from >= to) return [];
  const length = unitLengths[unit];
  const first = Number(startOfUnit(unit, from));
  const series = new AllSeries(ranges);
  if (counted !== 'each') series.add(0, countedLanguage(counted), 0);
  const add = (at: Date, language: string | null, count: number) => {
    series.add(Math.floor((Number(at) - first) / length), language, count);
  };
  await count({ load, counted, add }, unit, Number(from), Number(to));
  refuseLanguages(ranges, unit, Math.min(series.size, MAX_LANGUAGES));
  const shown = series.mostFrequent();
  const points: FrequencyPoint[] = [];
  for (let range = 0; range < ranges; range++) {
    const at = new Date(first + range * length);
    for (const { language, counts } of shown) points.push({ at, language, count: counts.get(range) ?? 0 });
  }
  return points;
}

/** The counts of a language, or with null those of all: of the ranges with tweets, and of the period. */
interface Series {
  readonly language: string | null;
  readonly counts: Map<number, number>;
  total: number;
}

/** The counts of a period by language. They have as many values as rows were read, or as there may be points. */
class AllSeries {
  private readonly all = new Map<string | null, Series>();

  constructor(private readonly ranges: number) {}

  get size(): number {
    return this.all.size;
  }

  add(range: number, language: string | null, count: number): void {
    let series = this.all.get(language);
    if (series === undefined) this.all.set(language, (series = { language, counts: new Map(), total: 0 }));
    series.total += count;
    // If the number of languages leads to a refusal, keeping all counts would fill the memory for nothing.
    const isRefused = this.ranges * Math.min(this.size, MAX_LANGUAGES) > MAX_POINTS;
    if (!isRefused) series.counts.set(range, (series.counts.get(range) ?? 0) + count);
  }

  /** The languages with the most tweets in the period, as many as an answer has, in the order of their tags. */
  mostFrequent(): readonly Series[] {
    const byTag = [...this.all.values()].sort((a, b) => ((a.language ?? '') < (b.language ?? '') ? -1 : 1));
    // Sorts are stable, so among languages with as many tweets, the first ones by tag stay.
    const most = new Set(byTag.toSorted((a, b) => b.total - a.total).slice(0, MAX_LANGUAGES));
    return byTag.filter((series) => most.has(series));
  }
}

function countedLanguage(counted: Counted): string | null {
  return typeof counted === 'object' ? counted.language : null;
}

/** Refuses a period with too many ranges. */
function refuseRanges(ranges: number, unit: FrequencyUnit, counted: Counted): void {
  if (ranges <= MAX_POINTS) return;
  const fitting = fittingUnit(ranges, unit, 1);
  const which = counted === 'each' ? ' for one language, or with byLanguage: false' : '';
  refuse(
    `${ranges}`,
    fitting === undefined ? 'no unit fits, ask for a shorter period' : `unit ${fitting} fits${which}`,
  );
}

/** Refuses a period that has too many languages for its ranges. */
function refuseLanguages(ranges: number, unit: FrequencyUnit, languages: number): void {
  if (ranges * languages <= MAX_POINTS) return;
  const fitting = fittingUnit(ranges * languages, unit, languages);
  const other = fitting === undefined ? 'a shorter period' : `unit ${fitting}`;
  refuse(
    `${ranges * languages}, of ${languages} languages`,
    `byLanguage: false fits, and so do one language and ${other}`,
  );
}

function fittingUnit(points: number, unit: FrequencyUnit, languages: number): FrequencyUnit | undefined {
  return Object.values(FrequencyUnit).find(
    (larger) => (points * unitLengths[unit]) / unitLengths[larger] <= MAX_POINTS - 2 * languages,
  );
}

function refuse(points: string, advice: string): never {
  throw badInput(`There are at most ${MAX_POINTS} points, but these would be ${points}: ${advice}.`);
}

/** The means of reading counts, the tweets that are counted, and the sum. */
interface Reading {
  readonly load: Load;
  readonly counted: Counted;
  add(this: void, at: Date, language: string | null, count: number): void;
}

/** Adds the counts of whole units within a period, and those of smaller units, down to single tweets, at its edges. */
async function count(
  reading: Reading,
  unit: FrequencyUnit | null,
  from: number,
  to: number,
): Promise<unknown> {
  if (from >= to) return;
  if (unit === null) return countTweets(reading, from, to);
  const length = unitLengths[unit];
  const first = Math.ceil(from / length) * length;
  const last = Math.floor(to / length) * length;
  if (first > last) return count(reading, SMALLER[unit], from, to);
  return Promise.all([
    count(reading, SMALLER[unit], from, first),
    first < last && countUnits(reading, unit, first, last),
    count(reading, SMALLER[unit], last, to),
  ]);
}

/** How many languages a range is expected to have: the first read of a short period asks for so many rows for each range. */
const EXPECTED_LANGUAGES = 30;

async function countUnits(
  { load, counted, add }: Reading,
  unit: FrequencyUnit,
  from: number,
  to: number,
): Promise<unknown> {
  const periodOf = unitPeriods[unit];
  const [first, last] = [periodOf(new Date(from)), periodOf(new Date(to - 1))];
  const ranges = (to - from) / unitLengths[unit];
  // One more than there can be, so that a read that is not full is the last.
  const firstRows = Math.min(PAGE_ROWS, counted === 'all' ? ranges + 1 : ranges * EXPECTED_LANGUAGES);
  const countPeriod = async (period: number) => {
    let after = { at: new Date(from - 1), language: '' };
    for (let limit = firstRows; ; limit = PAGE_ROWS) {
      const range = { unit, period, after, before: new Date(to), limit };
      const rows = await readCounts(load, range, counted);
      for (const { at, language = null, imported, posted } of rows) {
        const count = (imported ?? 0) + (posted ?? 0);
        if (count !== 0 && isCounted(counted, language)) add(at, language, count);
      }
      const end = rows.at(-1);
      if (rows.length < limit || end === undefined) return;
      after = { at: end.at, language: end.language ?? '' };
    }
  };
  return Promise.all(Array.from({ length: last - first + 1 }, (_, index) => countPeriod(first + index)));
}

/** The rows of a partition that are read. */
interface Range {
  readonly unit: FrequencyUnit;
  readonly period: number;
  readonly after: { readonly at: Date; readonly language: string };
  readonly before: Date;
  readonly limit: number;
}

/** A row of counts. A sum of all languages has no language. */
interface Counts {
  readonly at: Date;
  readonly language?: string;
  readonly imported: number | null;
  readonly posted: number | null;
}

/** Reads a range of a partition: the rows of each language, or their sums. */
function readCounts(load: Load, range: Range, counted: Counted): Promise<readonly Counts[]> {
  return counted === 'all' ? load(cachedFrequency.ofAll, range) : load(cachedFrequency.byLanguage, range);
}

/** Whether tweets of a language are counted. */
function isCounted(counted: Counted, language: string | null): boolean {
  return typeof counted !== 'object' || counted.language === language;
}

/** Counts the tweets between two moments of a minute. */
async function countTweets({ load, counted, add }: Reading, from: number, to: number): Promise<void> {
  const minute = minuteOf(new Date(from));
  const countShard = async (shard: number) => {
    for (let after = { createdAt: new Date(from - 1), tweetId: MAX_ID }; ;) {
      const range = { shard, minute, after, before: new Date(to), limit: SHARD_PAGE_ROWS };
      const rows = await load(partOfMinute, range);
      for (const { createdAt, language } of rows) {
        const known = language ?? 'und';
        if (isCounted(counted, known)) add(createdAt, counted === 'all' ? null : known, 1);
      }
      const end = rows.at(-1);
      if (rows.length < SHARD_PAGE_ROWS || end === undefined) return;
      after = end;
    }
  };
  await Promise.all(Array.from({ length: MINUTE_SHARDS }, (_, shard) => countShard(shard)));
}
