import type { Row } from '../kit/cassandra/table';
import type { Load } from '../kit/load';
import type { Period } from '../kit/period';
import { monthOf, monthsOf } from '../kit/relay/buckets';
import type { List } from '../kit/relay/connection';
import { EVERYBODY, rankings } from './ranking.table';

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

/** The rankings of a period, newest first. */
export function snapshotList(load: Load, kind: string, { from, to }: Period): List<Snapshot> {
  const [oldest, newest] = [monthOf(from), monthOf(to)];
  return {
    name: [rankings.name, kind, Number(from), Number(to)].join(' '),
    buckets: async () => (await months(load)).filter((month) => month >= oldest && month <= newest),
    sources: (bucket) => [
      {
        async read(slice) {
          const after = slice.after ?? [slice.reversed ? new Date(Number(from) - 1) : to];
          const rows = await load(rankings.page, { bucket, ...slice, after });
          return rows.filter(({ takenAt }) => takenAt >= from && takenAt < to);
        },
      },
    ],
    position: ({ takenAt }) => [takenAt],
  };
}
