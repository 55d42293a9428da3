import { double, idOf, int, timestamp } from '../../kit/cassandra/column';
import { cacheable, pageStatement, type PageKey, type Statement } from '../../kit/cassandra/statement';
import { table, type Row } from '../../kit/cassandra/table';

/** The tweets of a cell of the map, newest first; a partition is a month or, for large cells, a day. See `GRIDS`. */
export const tweetsByArea = table(
  'tweets_by_area',
  {
    cell: idOf('Cell'),
    bucket: int,
    createdAt: timestamp,
    tweetId: idOf('Tweet'),
    latitude: double,
    longitude: double,
  },
  {
    load: { rows: { locatedTweet: 1 }, bytes: 45, spread: { over: 'time', seconds: 86_400, shards: 10 } },
    partition: ['cell', 'bucket'],
    clustering: ['createdAt', 'tweetId'],
    writtenNow: true,
  },
);

/** Where and when a tweet of a cell was posted. */
export type AreaRow = Omit<Row<typeof tweetsByArea>, 'cell' | 'bucket'>;

/** `tweets_by_area.page` without the columns of the partition key: there are many rows, and what they have to say is little. */
const areaPage: Statement<
  PageKey<Row<typeof tweetsByArea>, 'cell' | 'bucket'>,
  readonly AreaRow[]
> = pageStatement(tweetsByArea, ['createdAt', 'tweetId', 'latitude', 'longitude']);

/** Reads tweets of a cell to show them, perhaps as they were a moment ago: many look at the same places. */
export const cachedAreaPage = cacheable(areaPage, { absence: true, isLarge: true });
