import { double, idOf, timestamp } from '../../kit/cassandra/column';
import {
  cacheable,
  pageStatement,
  sliceStatement,
  type ListSlice,
  type PageKey,
  type Statement,
} from '../../kit/cassandra/statement';
import { listTable, type Row } from '../../kit/cassandra/table';

const DAY = 86_400;
const columns = {
  cell: idOf('Cell'),
  createdAt: timestamp,
  tweetId: idOf('Tweet'),
  latitude: double,
  longitude: double,
};

/** The tweets of a cell of the map in a month or, for large cells, in a day, newest first: see `GRIDS`. `cell` names both: see `ownerIn`. */
export const tweetsByArea = listTable('tweets_by_area', columns, {
  owner: 'cell',
  clustering: ['createdAt', 'tweetId'],
  fullRows: 50_000,
  writeLoad: [
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
});

/** The place and time of a tweet in a cell. */
export type AreaRow = Omit<Row<typeof tweetsByArea>, 'cell' | 'bucket'>;

/** Reads a list without the columns of the partition key, which are two of six: a heatmap reads very many rows. */
const areaSlice: Statement<
  PageKey<Row<typeof tweetsByArea>, 'cell' | 'bucket'>,
  ListSlice<AreaRow>
> = sliceStatement(
  pageStatement(tweetsByArea, ['createdAt', 'tweetId', 'latitude', 'longitude', 'isSplit']),
  tweetsByArea,
);

/** The same lists to show them, perhaps as they were a moment ago: many look at the same places. */
export const shownArea = { ...tweetsByArea, slice: cacheable(areaSlice, { absence: true, isLarge: true }) };
