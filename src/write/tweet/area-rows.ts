import type { Row } from '../../kit/cassandra/table';
import type { Write } from '../../kit/cassandra/database';
import type { ListBucket } from '../../kit/data/buckets';
import { removalOf, writeOf } from '../../kit/data/write';
import type { tweets } from '../../tweet/tweet.table';
import { cellOf, GRIDS } from '../../map/cells';
import { tweetsByArea } from '../../map/map.table';
import { bucketOf } from '../../map/area-buckets';

type Placed = Pick<Row<typeof tweets>, 'tweetId' | 'createdAt' | 'location'>;

function keysOf({ tweetId, createdAt, location }: Placed) {
  if (location === null) return [];
  const { latitude, longitude } = location;
  return GRIDS.map((grid) => ({
    cell: cellOf(grid, latitude, longitude),
    bucket: bucketOf(grid, createdAt),
    createdAt,
    tweetId,
    latitude,
    longitude,
  }));
}

/** The rows by which a tweet is found on the map; none where it has no location. */
export function areaRowsOf(tweet: Placed): { writes: Write[]; listBuckets: ListBucket[] } {
  const rows = keysOf(tweet);
  return {
    writes: rows.map((row) => writeOf(tweetsByArea, row)),
    listBuckets: rows.map(({ cell, bucket }) => ({ list: tweetsByArea.name, owner: cell, bucket })),
  };
}

/** The removal of those rows, as of a time in microseconds. */
export function areaRemovalsOf(tweet: Placed, at: number): Write[] {
  return keysOf(tweet).map((key) => removalOf(tweetsByArea, key, at));
}
