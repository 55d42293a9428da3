/** The rate of a load and its CPU time. */
export interface Measured {
  /** Requests, or rows of a file, per second. */
  readonly rate: number;
  /** CPU milliseconds of the serving process per request. */
  readonly cpu: number;
}

/** A line of a table of results: values by column name. */
export type Line = Readonly<Record<string, string | number>>;

/** The results of one comparison, as a table. */
export interface Section {
  readonly title: string;
  readonly lines: readonly Line[];
  /** What should not have happened; if there is anything, the command fails after it has printed all results. */
  readonly failures?: readonly string[];
}

/** How many connections a load uses by default. */
export const CONNECTIONS = 32;

/** The median rate and the median CPU time of several measurements. */
export function middle(measured: readonly Measured[]): Measured {
  return { rate: median(measured.map(({ rate }) => rate)), cpu: median(measured.map(({ cpu }) => cpu)) };
}

/** The middle one of the numbers, or the mean of the two in the middle. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
}

/** The number that a fraction (0 to 1) of the numbers does not exceed, by nearest rank; NaN if there are none. */
export function percentile(numbers: readonly number[], fraction: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)] ?? NaN;
}

/** Rounds a number for a table. */
export function round(number: number, digits = 2): number {
  return Number(number.toFixed(digits));
}

/** Prints a line about progress to standard error. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
