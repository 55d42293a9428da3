import type { Row } from '../kit/cassandra/table';
import type { Load } from '../kit/load';
import { ALL_BUCKETS, buckets } from '../kit/relay/buckets';
import type { List, Slice } from '../kit/relay/connection';
import type { Period } from '../kit/period';
import { bucketOf, startOf } from './area-rows';
import { isWithin, type Box } from './box';
import { coverOf } from './cells';
import { tweetsByArea } from './map.table';

export type AreaRow = Row<typeof tweetsByArea>;

const LEAST_ID = String(-(2n ** 63n));
const LARGEST_ID = String(2n ** 63n - 1n);

/** What was posted in some boxes in a period, newest first. */
export async function areaList(
  load: Load,
  boxes: readonly Box[],
  { from, to }: Period,
): Promise<List<AreaRow> & { startOf(bucket: number): Date }> {
  const { grid, cells } = coverOf(boxes);
  const [oldest, last] = [bucketOf(grid, from), bucketOf(grid, new Date(Number(to) - 1))];
  // As many as there can be in the period: a short one reads few, however long the history is.
  const limit = Math.min(ALL_BUCKETS, Math.max(1, last - oldest + 1));
  const known = await Promise.all(
    cells.map((owner) => load(buckets.page, { owner, list: tweetsByArea.name, after: [last + 1], limit })),
  );
  const cellsOf = new Map<number, string[]>();
  for (const { owner, bucket } of known.flat())
    if (bucket >= oldest) cellsOf.set(bucket, [...(cellsOf.get(bucket) ?? []), owner]);
  const read = async (cell: string, bucket: number, slice: Slice) => {
    const start = slice.reversed ? [new Date(Number(from) - 1), LARGEST_ID] : [to, LEAST_ID];
    const rows = await load(tweetsByArea.page, { cell, bucket, ...slice, after: slice.after ?? start });
    return rows.filter(({ createdAt }) => createdAt >= from && createdAt < to);
  };
  const isIn = ({ latitude, longitude }: AreaRow) => isWithin(boxes, latitude, longitude);
  return {
    startOf: (bucket) => startOf(grid, bucket),
    name: [tweetsByArea.name, ...boxes.flatMap((box) => Object.values(box) as number[]), +from, +to].join(
      ' ',
    ),
    buckets: () => Promise.resolve([...cellsOf.keys()].sort((a, b) => b - a)),
    sources: (bucket) =>
      (cellsOf.get(bucket) ?? []).map((cell) => ({
        read: (slice) => read(cell, bucket, slice),
        holds: isIn,
      })),
    position: ({ createdAt, tweetId }) => [createdAt, tweetId],
  };
}
