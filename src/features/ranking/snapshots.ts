import type { Row } from '../../kit/cassandra/table';
import type { Load } from '../../kit/reads/load';
import type { Period } from '../../kit/base/period';
import { buckets, EVERYBODY, monthOf } from '../../kit/lists/buckets';
import type { List } from '../../kit/lists/list-parts';
import { periodList, type Chronology } from '../../kit/lists/period-list';
import { rankings, cachedRankings } from './ranking.table';

/** Both rankings at a moment. */
export type Snapshot = Row<typeof rankings>;

/** The newest rankings not after a moment, or the newest of all; null if there are none. */
export async function snapshotAt(load: Load, at: Date | null): Promise<Snapshot | null> {
  const month = monthOf(at ?? new Date());
  const newestOf = async (bucket: number) => {
    const after = at ? [new Date(Number(at) + 1)] : undefined;
    const [newest] = await load(cachedRankings, { bucket, after, limit: 1 });
    return newest ?? null;
  };
  const newest = await newestOf(month);
  if (newest) return newest;
  const key = { owner: EVERYBODY, list: rankings.name, after: [month], limit: 1 };
  const [before] = await load(buckets.page, key);
  return before ? newestOf(before.bucket) : null;
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
