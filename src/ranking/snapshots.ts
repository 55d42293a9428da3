import type { Row } from '../kit/cassandra/table';
import type { Load } from '../kit/load';
import type { Period } from '../kit/period';
import { EVERYBODY, monthOf, monthsOf } from '../kit/relay/buckets';
import type { List } from '../kit/relay/connection';
import { periodList, type Chronology } from '../kit/relay/period-list';
import { rankings } from './ranking.table';

/** Both rankings as they were at a moment. */
export type Snapshot = Row<typeof rankings>;

const months = (load: Load) => monthsOf(load, [{ owner: EVERYBODY, list: rankings.name }]);

/** The newest rankings not after a moment; null where there are none. */
export async function snapshotAt(load: Load, at: Date): Promise<Snapshot | null> {
  const month = monthOf(at);
  const after = [new Date(Number(at) + 1)];
  const newestOf = async (bucket: number) => (await load(rankings.page, { bucket, after, limit: 1 }))[0];
  const newest = await newestOf(month);
  if (newest) return newest;
  for (const before of (await months(load)).filter((bucket) => bucket < month)) {
    const snapshot = await newestOf(before);
    if (snapshot) return snapshot;
  }
  return null;
}

const chronology: Chronology<Snapshot> = {
  bucketOf: monthOf,
  keyOf: ({ takenAt }) => takenAt,
  firstKeyAt: (moment) => moment,
  timeOf: ({ takenAt }) => takenAt,
};

/** The rankings of a period, newest first. */
export function snapshotList(load: Load, kind: string, period: Period): List<Snapshot> {
  return periodList<Snapshot>(load, rankings, {}, chronology, period, kind);
}
