import { id, int, text } from '../cassandra/column';
import { cacheable } from '../cassandra/cacheable';
import { table } from '../cassandra/table';

/** Which buckets of a list have rows, newest first. They are months, or days or years in some lists. */
export const buckets = table(
  'buckets',
  { owner: id, list: text, bucket: int },
  {
    partition: ['owner', 'list'],
    clustering: ['bucket'],
  },
);

/** Reads buckets to show what they have, perhaps as they were a moment ago. */
export const shownBuckets = cacheable(buckets.page, { absence: true });

/** A bucket (a month, day or year) in which a list has rows. */
export interface ListBucket {
  readonly list: string;
  readonly owner: string;
  readonly bucket: number;
}

/** The owner of lists that belong to no single user. */
export const EVERYBODY = '0';

/** The month bucket of a moment: months since January of the year 0, UTC. */
export function monthOf(moment: Date): number {
  return moment.getUTCFullYear() * 12 + moment.getUTCMonth();
}

/** The day bucket of a moment: days since 1970, UTC. */
export function dayOf(moment: Date): number {
  return Math.floor(Number(moment) / 86_400_000);
}

/** The year bucket of a moment, UTC. */
export function yearOf(moment: Date): number {
  return moment.getUTCFullYear();
}
