import { double, idOf, int, timestamp } from '../../kit/cassandra/column';
import { cacheable, pageStatement, type PageKey, type Statement } from '../../kit/cassandra/statement';
import { table, type Row } from '../../kit/cassandra/table';

const DAY = 86_400;

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
    load: [
      // The busiest of 64 cells has a half of what is posted in a day, the busiest city a tenth of that of a month, as in tweets of 2016.
      {
        what: 'days',
        rows: { locatedTweet: 2 },
        bytes: 45,
        spread: { over: 'time', seconds: DAY, shards: 4 },
      },
      {
        what: 'months',
        rows: { locatedTweet: 3 },
        bytes: 45,
        spread: { over: 'time', seconds: 31 * DAY, shards: 30 },
      },
    ],
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
