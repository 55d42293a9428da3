/** What a rate of requests took. */
export interface Measured {
  /** Requests, or rows of the file, each second. */
  readonly rate: number;
  /** CPU milliseconds of the serving process for each of them. */
  readonly cpu: number;
}

/** A line of a table of results. */
export type Line = Readonly<Record<string, string | number>>;

/** One of the things that a run can compare. */
export interface Section {
  readonly title: string;
  readonly lines: readonly Line[];
}

/** How many connections a load comes by. */
export const CONNECTIONS = 32;

/** The medians of several measurements. */
export function middle(measured: readonly Measured[]): Measured {
  return { rate: median(measured.map(({ rate }) => rate)), cpu: median(measured.map(({ cpu }) => cpu)) };
}

/** The middle one of some numbers, or what is between the two in the middle. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
}

/** The number that a share of some numbers does not exceed; by nearest rank. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

/** A number as tables show it. */
export function round(number: number, digits = 2): number {
  return Number(number.toFixed(digits));
}

/** Tells whoever waits how far the run is. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
