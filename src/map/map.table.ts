import { double, id, int, timestamp } from '../kit/cassandra/column';
import { table } from '../kit/cassandra/table';

/** The tweets of a cell of the map, newest first; a partition is a month or, for large cells, a day. See `GRIDS`. */
export const tweetsByArea = table(
  'tweets_by_area',
  { cell: id, bucket: int, createdAt: timestamp, tweetId: id, latitude: double, longitude: double },
  { partition: ['cell', 'bucket'], clustering: ['createdAt', 'tweetId'] },
);
