import { idOf, label, timestamp } from '../cassandra/column';
import type { Write } from '../cassandra/database';
import { table, type Row } from '../cassandra/table';
import type { Load } from '../reads/load';
import { writeOf } from '../cassandra/write';

/**
 * Milliseconds within which a new row must be in its list, counted from the time in its id. If it took longer, its writer records
 * a late arrival.
 */
export const MAX_ROW_DELAY_MS = 10_000;

/**
 * Milliseconds by which a watcher looks back each time it reads its list again: rows come into a list in another order than that
 * of their ids. More than `MAX_ROW_DELAY_MS`, because the clocks of two servers may differ.
 */
export const LOOK_BACK_MS = 15_000;

/**
 * The rows that reached a list late, so that subscriptions, which only read the newest part again, do not overlook them. `kind` is `row` if
 * the item is a row of the list, and `list` if it is the owner of another list all of whose rows came in. Rows expire after a day.
 */
export const lateArrivals = table(
  'late_arrivals',
  {
    owner: idOf('User', 'Tweet'),
    list: label,
    arrivedAt: timestamp,
    item: idOf('User', 'Tweet'),
    kind: label,
  },
  {
    role: { kind: 'transient', why: 'it says what reached a list late, for subscriptions' },
    writeLoad: {
      rows: { follow: 1, push: 0.001 },
      bytes: 50,
      spread: { over: 'people' },
      keptSeconds: 86_400,
    },
    partition: ['owner', 'list'],
    clustering: ['arrivedAt', 'item'],
    order: 'asc',
  },
);

/** A row that came late. */
export type LateArrival = Row<typeof lateArrivals>;

/** How long late arrivals are kept, in milliseconds: a client that resumes later may miss them. */
export const KEPT_MS = 86_400_000;

/** How many late arrivals are read at a time. */
export const ARRIVALS_AT_ONCE = 100;

/** Whether a row that was created at a moment reached its list so late that subscriptions may overlook it. */
export function isLateArrival(createdAt: Date): boolean {
  return Date.now() - Number(createdAt) > MAX_ROW_DELAY_MS;
}

/** The write that records a late arrival. It must be stored after the rows themselves. */
export function arrivalWrite(list: string, owner: string, kind: 'row' | 'list', item: string): Write {
  const arrivedAt = new Date();
  const timing = { at: Number(arrivedAt) * 1000, ttl: KEPT_MS / 1000 };
  return writeOf(lateArrivals, { owner, list, arrivedAt, item, kind }, timing);
}

/** Reads the rows that reached a list late after a moment and item, oldest arrival first, at most `ARRIVALS_AT_ONCE`. */
export function arrivalsAfter(
  load: Load,
  list: string,
  owner: string,
  moment: Date,
  item: string,
): Promise<readonly LateArrival[]> {
  return load(lateArrivals.page, { owner, list, after: [moment, item], limit: ARRIVALS_AT_ONCE });
}
