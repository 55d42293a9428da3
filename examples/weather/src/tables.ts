import { buckets, double, id, int, table, text, timestamp, type Row } from 'murmuration/kit';

/** The greatest size of the name of a station or region in bytes. */
const MAX_NAME_BYTES = 300;

const measured = { at: timestamp, temperature: double, humidity: double, wind: double };

/** Stations. */
export const stations = table(
  'stations',
  { stationId: id, region: text(MAX_NAME_BYTES), name: text(MAX_NAME_BYTES) },
  { partition: ['stationId'] },
);

/** The last reading of each station of a region. */
export const latestByRegion = table(
  'latest_by_region',
  { region: text(MAX_NAME_BYTES), stationId: id, name: text(MAX_NAME_BYTES), ...measured },
  { partition: ['region'], clustering: ['stationId'], order: 'asc' },
);

/** A station's readings, newest first; a partition has the readings of a day. */
export const readingsByStation = table(
  'readings_by_station',
  { stationId: id, bucket: int, ...measured },
  { partition: ['stationId', 'bucket'], clustering: ['at'] },
);

/** How warm it was; a partition has the minutes of a day, the hours of a month or the days of a year. */
export const summariesByStation = table(
  'summaries_by_station',
  {
    stationId: id,
    unit: text(10),
    bucket: int,
    at: timestamp,
    readings: int,
    least: double,
    greatest: double,
    total: double,
  },
  { partition: ['stationId', 'unit', 'bucket'], clustering: ['at'] },
);

/** The tables of each feature. */
export const features = {
  Stations: [stations, latestByRegion],
  Readings: [readingsByStation, summariesByStation, buckets],
};

/** A reading as it is stored. */
export type ReadingRow = Row<typeof readingsByStation>;
/** A summary as it is stored. */
export type SummaryRow = Row<typeof summariesByStation>;
