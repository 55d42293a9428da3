import {
  createLoad,
  dayOf,
  readMany,
  writeOf,
  type BulkWriter,
  type Database,
  type Load,
} from 'murmuration/kit';
import {
  latestByRegion,
  readingsByStation,
  stations,
  summariesByStation,
  type ReadingRow,
  type SummaryRow,
} from './tables';
import { startOf, Unit, units } from './units';

/** What a station measured at a moment: degrees Celsius, per cent, metres a second. */
export type Reading = Omit<ReadingRow, 'bucket'>;

const UNITS = [Unit.MINUTE, Unit.HOUR, Unit.DAY];

/**
 * Stores readings and sums up the ranges that they are of; those of unknown stations are left out. Repeating it, in whatever
 * order, changes nothing: a reading is its station and moment, of which the first that came counts. A range is summed up
 * anew from its parts, and of two sums that of more readings stays, whoever writes last: readings only ever become more.
 */
export async function addReadings(
  database: Database,
  bulk: () => BulkWriter,
  readings: readonly Reading[],
): Promise<number> {
  const keys = readings.map(({ stationId }) => ({ stationId }));
  const found = await readMany(database, stations.get, keys);
  const known = readings.flatMap((reading, place) => {
    const station = found[place];
    return station == null ? [] : { ...reading, ...station, bucket: dayOf(reading.at) };
  });
  const writer = bulk();
  const now = Date.now() * 1000;
  for (const [place, reading] of known.entries()) {
    await writer.putBucket(readingsByStation.name, reading.stationId, reading.bucket);
    // The earlier a write the greater its time: the first one stays.
    await writer.put(writeOf(readingsByStation, reading, { at: -(now + place) }));
  }
  await writer.flush();
  const inOrder = known.toSorted((a, b) => Number(a.at) - Number(b.at));
  const last = [...new Map(inOrder.map((reading) => [reading.stationId, reading])).values()];
  const stayed = await readMany(database, readingsByStation.get, last);
  for (const [place, reading] of last.entries()) {
    const row = { ...reading, ...stayed[place] };
    // Of the last readings that of the latest moment stays, however late the others come.
    await writer.put(writeOf(latestByRegion, row, { at: Number(row.at) * 1000 }));
  }
  for (const unit of UNITS) {
    const ranges = new Map<string, Pick<SummaryRow, 'stationId' | 'at'>>();
    for (const { stationId, at } of known) {
      const start = startOf(unit, at);
      ranges.set(`${stationId} ${Number(start)}`, { stationId, at: start });
    }
    const load = createLoad(database);
    const sums = await Promise.all([...ranges.values()].map((range) => sumOf(load, unit, range)));
    for (const sum of sums) await writer.put(writeOf(summariesByStation, sum, { at: sum.readings }));
    await writer.flush();
  }
  return known.length;
}

/** How many readings are read at a time, and more parts than any range has. */
const READINGS_AT_ONCE = 200;
const MOST_PARTS = 60;

/** A range summed up from its parts. */
async function sumOf(
  load: Load,
  unit: Unit,
  { stationId, at }: Pick<SummaryRow, 'stationId' | 'at'>,
): Promise<SummaryRow> {
  const { length, bucketOf, parts } = units[unit];
  const end = new Date(Number(at) + length);
  const parted =
    parts === null
      ? (await readingsFrom(load, stationId, at, end)).map(({ at, temperature }) => ({
          at,
          readings: 1,
          least: temperature,
          greatest: temperature,
          total: temperature,
        }))
      : await load(summariesByStation.page, {
          stationId,
          unit: parts,
          bucket: units[parts].bucketOf(at),
          after: [end],
          limit: MOST_PARTS,
        });
  const within = parted.filter((part) => part.at >= at);
  return {
    stationId,
    unit,
    bucket: bucketOf(at),
    at,
    readings: within.reduce((sum, part) => sum + part.readings, 0),
    least: Math.min(...within.map(({ least }) => least)),
    greatest: Math.max(...within.map(({ greatest }) => greatest)),
    total: within.reduce((sum, part) => sum + part.total, 0),
  };
}

/** A station's readings from a moment of a day to another, in which one before may be. */
async function readingsFrom(load: Load, stationId: string, from: Date, to: Date): Promise<ReadingRow[]> {
  const found: ReadingRow[] = [];
  for (let after = [to]; ;) {
    const slice = { bucket: dayOf(from), after, limit: READINGS_AT_ONCE };
    const rows = await load(readingsByStation.page, { stationId, ...slice });
    found.push(...rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < READINGS_AT_ONCE || last.at < from) return found;
    after = [last.at];
  }
}
