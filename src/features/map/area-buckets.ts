import { dayOf, monthOf } from '../../kit/lists/buckets';
import type { Grid } from './cells';

/** The bucket (day or month) of a grid's cells for a moment. */
export function bucketOf({ time }: Grid, moment: Date): number {
  return time === 'day' ? dayOf(moment) : monthOf(moment);
}

/** When a bucket of a grid's cells begins. */
export function startOfBucket({ time }: Grid, bucket: number): Date {
  return new Date(time === 'day' ? bucket * 86_400_000 : Date.UTC(0, bucket - 1900 * 12));
}
