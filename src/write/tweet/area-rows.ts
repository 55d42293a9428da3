import type { Row } from '../../kit/cassandra/table';
import type { Write } from '../../kit/cassandra/database';
import type { ListBucket } from '../../kit/lists/buckets';
import { removalOf, writeOf } from '../../kit/cassandra/write';
import type { tweets } from '../../features/tweet/tweet.table';
import { cellOf, GRIDS } from '../../features/map/cells';
import { tweetsByArea } from '../../features/map/map.table';
import { bucketOf } from '../../features/map/area-buckets';

type LocatedTweet = Pick<Row<typeof tweets>, 'tweetId' | 'createdAt' | 'location'>;

function keysOf({ tweetId, createdAt, location }: LocatedTweet) {
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

/** The rows of a tweet in the lists of the map, one for each grid, and their buckets; none for a tweet without a location. */
export function areaRowsOf(tweet: LocatedTweet): { writes: Write[]; listBuckets: ListBucket[] } {
  const rows = keysOf(tweet);
  return {
    writes: rows.map((row) => writeOf(tweetsByArea, row)),
    listBuckets: rows.map(({ cell, bucket }) => ({ list: tweetsByArea.name, owner: cell, bucket })),
  };
}

/** The removals of those rows; `at` is their write time in microseconds. */
export function areaRemovalsOf(tweet: LocatedTweet, at: number): Write[] {
  return keysOf(tweet).map((key) => removalOf(tweetsByArea, key, at));
}
