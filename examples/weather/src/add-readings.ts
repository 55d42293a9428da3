import {
  createLoad,
  dayOf,
  readMany,
  writeOf,
  type RowWriter,
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

/** What a station measured at a moment: degrees Celsius, per cent, metres per second. */
export type Reading = Omit<ReadingRow, 'bucket'>;

const UNITS = [Unit.MINUTE, Unit.HOUR, Unit.DAY];

/**
 * Stores readings and sums up the minutes, hours and days that they are in. Returns how many were stored; readings of unknown
 * stations are left out. Repeating a call, in any order, changes nothing: a reading is identified by its station and moment, and
 * the first one stays. A range is summed up again from its parts, and of two sums the one of more readings stays, whichever is
 * written last, because readings are only ever added.
 */
export async function addReadings(
  database: Database,
  bulk: () => RowWriter,
  readings: readonly Reading[],
): Promise<number> {
  const keys = readings.map(({ stationId }) => ({ stationId }));
  const found = await readMany(database, stations.get, keys);
  const known = readings.flatMap((reading, index) => {
    const station = found[index];
    return station == null ? [] : { ...reading, ...station, bucket: dayOf(reading.at) };
  });
  const writer = bulk();
  const now = Date.now() * 1000;
  for (const [index, reading] of known.entries()) {
    await writer.putBucket(readingsByStation.name, reading.stationId, reading.bucket);
    // An earlier write has a greater timestamp, so the first one stays.
    await writer.put(writeOf(readingsByStation, reading, { at: -(now + index) }));
  }
  await writer.flush();
  const inOrder = known.toSorted((a, b) => Number(a.at) - Number(b.at));
  const last = [...new Map(inOrder.map((reading) => [reading.stationId, reading])).values()];
  const stayed = await readMany(database, readingsByStation.get, last);
  for (const [index, reading] of last.entries()) {
    const row = { ...reading, ...stayed[index] };
    // The timestamp is the reading's own time, so the reading of the latest moment stays, however late others are written.
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

/** How many readings are read at a time, and how many parts a range has at most (minutes of an hour). */
const READINGS_PER_READ = 200;
const MAX_PARTS = 60;

/** Sums up a range from its parts. */
async function sumOf(
  load: Load,
  unit: Unit,
  { stationId, at }: Pick<SummaryRow, 'stationId' | 'at'>,
): Promise<SummaryRow> {
  const { length, bucketOf, parts } = units[unit];
  const end = new Date(Number(at) + length);
  const read =
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
          limit: MAX_PARTS,
        });
  const within = read.filter((part) => part.at >= at);
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

/** A station's readings between two moments of a day, newest first. A few from before `from` may follow. */
async function readingsFrom(load: Load, stationId: string, from: Date, to: Date): Promise<ReadingRow[]> {
  const found: ReadingRow[] = [];
  for (let after = [to]; ;) {
    const slice = { bucket: dayOf(from), after, limit: READINGS_PER_READ };
    const rows = await load(readingsByStation.page, { stationId, ...slice });
    found.push(...rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < READINGS_PER_READ || last.at < from) return found;
    after = [last.at];
  }
}
