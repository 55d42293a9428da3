import { idOf, int, label } from '../cassandra/column';
import { cacheable } from '../cassandra/statement';
import { table } from '../cassandra/table';

/** The buckets of a list that have rows, newest first. They are months, or days or years in some lists. */
export const buckets = table(
  'buckets',
  { owner: idOf('Cell'), list: label, bucket: int },
  {
    writeLoad: {
      rows: { locatedTweet: 0.01, article: 1 },
      bytes: 40,
      spread: { over: 'acts' },
      most: 10_000,
    },
    partition: ['owner', 'list'],
    clustering: ['bucket'],
  },
);

/** Reads buckets to show what they have, perhaps as they were a moment ago. */
export const cachedBuckets = cacheable(buckets.page, { absence: true });

/** A bucket (a month, day or year) in which a list has rows. */
export interface ListBucket {
  readonly list: string;
  readonly owner: string;
  readonly bucket: number;
}

/** The owner of lists that belong to no single user. */
export const EVERYBODY = '0';

/**
 * The month bucket of a moment: months since January of the year 0, UTC.
 *
 * @example
 * ```ts
 * monthOf(new Date('2026-10-31T00:00:00Z')); // 24_321
 * ```
 */
export function monthOf(moment: Date): number {
  return moment.getUTCFullYear() * 12 + moment.getUTCMonth();
}

/**
 * The day bucket of a moment: days since 1970, UTC.
 *
 * @example
 * ```ts
 * dayOf(new Date('1970-01-03T10:00:00Z')); // 2
 * ```
 */
export function dayOf(moment: Date): number {
  return Math.floor(Number(moment) / 86_400_000);
}

/**
 * The year bucket of a moment, UTC.
 *
 * @example
 * ```ts
 * yearOf(new Date('2026-10-31T00:00:00Z')); // 2026
 * ```
 */
export function yearOf(moment: Date): number {
  return moment.getUTCFullYear();
}
