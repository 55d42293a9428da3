import { FREE, sumOf, type Cost } from '../../kit/cost/cost';
import { together, upTo, type CostArguments, type TableBound } from '../../kit/cost/reads';
import { periodOf, type Period } from '../../kit/base/period';
import { MINUTE_SHARDS, tweetFrequency, tweetsByMinute } from './frequency.table';
import type { FrequencyUnit } from './unit';
import { unitLengths, unitPeriods, SMALLER, startOfUnit } from './unit';

/** The most points of an answer. */
export const MAX_POINTS = 10_000;

/**
 * The most languages of an answer in which each has points of its own: the rarest are left out. ISO 639-1 has 184. People may name others in their tweets, of which 8,000 are
 * registered: if each query reserved the values of so many, a query could ask for two periods only.
 */
export const MAX_LANGUAGES = 200;

const MINUTE_MS = 60_000;

/** How many languages a range may have on average. A period with more fails with `QUERY_TOO_LARGE`. */
const MAX_LANGUAGES_PER_RANGE = 30;
/** How many more rows may be read at the edges of a period, where smaller ranges are read. */
const MAX_EDGE_ROWS = 20_000;
/** How many more reads partitions with many rows may take. */
const MAX_MORE_READS = 40;
/** How many rows of a partition are read at a time. */
export const PAGE_ROWS = 5000;
/** The same of a shard of a minute. */
export const SHARD_PAGE_ROWS = 500;
/** How many more reads and rows partitions with many rows take at most of most periods. */
const BASE_MORE: Cost = { reads: 2, rows: 1000 };

function argumentsIn(args: CostArguments['args']): Period & { readonly unit: FrequencyUnit } {
  const { from, to, unit } = args as unknown as { from: Date; to: Date; unit: FrequencyUnit };
  return { ...periodOf(from, to), unit };
}

/**
 * Returns how many points a period has at most: one for each range or, if each language has its own, as many as there may be languages. The
 * actual languages are not known before the rows are read.
 */
export function pointsIn(args: CostArguments['args']): number {
  const { unit, ...period } = argumentsIn(args);
  const isByLanguage = args['language'] == null && args['byLanguage'] !== false;
  return Math.min(countRanges(period, unit) * (isByLanguage ? MAX_LANGUAGES : 1), MAX_POINTS);
}

/** How many ranges of a unit a period touches. */
export function countRanges({ from, to }: Period, unit: FrequencyUnit): number {
  return Math.ceil((Number(to) - Number(startOfUnit(unit, from))) / unitLengths[unit]);
}

/** The reads for the frequency of a period: see `frequencyOf`. */
export const FREQUENCY_READS: readonly TableBound[] = [
  together(
    upTo(tweetFrequency, ({ args }) => {
      const { unit, ...period } = argumentsIn(args);
      // The resolver refuses a period with too many points before it reads anything.
      return countRanges(period, unit) > MAX_POINTS ? FREE : frequencyBase(period, unit);
    }),
    tweetsByMinute,
  ),
];

/** How much a period reads at most: its partitions, and some more reads for partitions with many rows. */
export function frequencyCost(period: Period, unit: FrequencyUnit): Cost {
  return sumOf([partitionCost(period, unit), { reads: MAX_MORE_READS, rows: MAX_EDGE_ROWS }]);
}

/** The same without reserving more. Single tweets are only read at an end that is within a minute. */
export function frequencyBase(period: Period, unit: FrequencyUnit): Cost {
  const within = [period.from, period.to].filter((end) => Number(end) % MINUTE_MS !== 0);
  return sumOf([
    partitionCost(period, unit),
    BASE_MORE,
    { reads: 0, rows: MINUTE_SHARDS * SHARD_PAGE_ROWS * within.length },
  ]);
}

function partitionCost({ from, to }: Period, unit: FrequencyUnit): Cost {
  const ranges = Math.min((Number(to) - Number(from)) / unitLengths[unit], MAX_POINTS);
  return {
    reads: partitionsIn(unit, Number(from), Number(to)),
    rows: Math.ceil(ranges * MAX_LANGUAGES_PER_RANGE),
  };
}

/** How many partitions have the whole ranges of a period, and the smaller ranges at its edges. */
function partitionsIn(unit: FrequencyUnit | null, from: number, to: number): number {
  if (from >= to) return 0;
  if (unit === null) return MINUTE_SHARDS;
  const length = unitLengths[unit];
  const first = Math.ceil(from / length) * length;
  const last = Math.floor(to / length) * length;
  if (first > last) return partitionsIn(SMALLER[unit], from, to);
  const periodOf = unitPeriods[unit];
  const whole = first < last ? periodOf(new Date(last - 1)) - periodOf(new Date(first)) + 1 : 0;
  return partitionsIn(SMALLER[unit], from, first) + whole + partitionsIn(SMALLER[unit], last, to);
}
