import { round, type Line } from '../measure';

/** Figures of one moment, by name. */
export type Sample = Readonly<Record<string, number>>;

/** A sample with the seconds since the beginning. */
export interface Timed {
  readonly seconds: number;
  readonly figures: Sample;
}

/** The samples in as many rows as that, or fewer if there are fewer samples: the mean of each figure, and the minutes at which the row ends. */
export function rowsOf(samples: readonly Timed[], names: readonly string[], rows: number): Line[] {
  const count = Math.min(rows, samples.length);
  return Array.from({ length: count }, (_, n) => {
    const part = partOf(samples, n / count, (n + 1) / count);
    const ends = part.at(-1)?.seconds ?? NaN;
    return {
      minutes: round(ends / 60, 1),
      ...Object.fromEntries(names.map((name) => [name, shown(meanOf(part, name))])),
    };
  });
}

/** Of each figure the mean of the second quarter of a run and of the last, and the last divided by the second. What is flat has 1. */
export function quartersOf(samples: readonly Timed[], names: readonly string[]): Line[] {
  return names.map((figure) => {
    const [second, last] = [
      meanOf(partOf(samples, 0.25, 0.5), figure),
      meanOf(partOf(samples, 0.75, 1), figure),
    ];
    return {
      figure,
      'second quarter': shown(second),
      'last quarter': shown(last),
      'last : second': second === 0 ? (last === 0 ? 1 : NaN) : round(last / second),
    };
  });
}

/** The samples of a part of the run, from a fraction of their number to another. */
function partOf(samples: readonly Timed[], from: number, to: number): readonly Timed[] {
  return samples.slice(Math.floor(samples.length * from), Math.floor(samples.length * to));
}

/** The mean of a figure. A sample that does not have it, as there is no time if nothing was asked, does not count. */
function meanOf(samples: readonly Timed[], name: string): number {
  const values = samples.map(({ figures }) => figures[name] ?? NaN).filter((value) => !Number.isNaN(value));
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Three digits are enough for people. */
function shown(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
