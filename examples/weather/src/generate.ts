import { setTimeout as sleep } from 'node:timers/promises';
import { createBulkWriter, writeOf, type Database } from 'murmuration/kit';
import { addReadings, type Reading } from './add-readings';
import { stations } from './tables';

const regions = ['North', 'East', 'South'] as const;
const STATIONS = 30;

/** The stations of the example. */
export const allStations = Array.from({ length: STATIONS }, (_, n) => ({
  stationId: String(1 + n),
  region: regions[n % regions.length] ?? regions[0],
  name: `Station ${n + 1}`,
}));

/** What a station measures at a moment: it is colder at night and in winter, and differs from station to station. */
export function readingAt(station: number, at: Date): Reading {
  const day = (Number(at) % 86_400_000) / 86_400_000;
  const year = (Number(at) / 86_400_000 / 365.25) % 1;
  const drift = Math.sin(Number(at) / 97_000 + station * 7);
  const temperature = 10 - 9 * Math.cos(2 * Math.PI * year) - 4 * Math.cos(2 * Math.PI * day) + drift;
  // Adding 0 turns -0 into 0.
  const round = (value: number) => Math.round(value * 10) / 10 + 0;
  return {
    stationId: String(1 + station),
    at,
    temperature: round(temperature),
    humidity: round(60 - 2 * drift - temperature / 2),
    wind: round(4 + 3 * drift),
  };
}

/** Writes the stations: the same rows each time. */
export async function writeStations(database: Database): Promise<void> {
  const bulk = createBulkWriter(database)();
  for (const station of allStations) await bulk.put(writeOf(stations, station));
  await bulk.flush();
}

/** Writes the stations, and a reading of each for every ten minutes of the last two days: the same rows each time for the same `now`. */
export async function fill(database: Database, now: Date): Promise<void> {
  await writeStations(database);
  const bulk = createBulkWriter(database);
  const stepMs = 600_000;
  const last = Math.floor(Number(now) / stepMs);
  const moments = Array.from({ length: 2 * 144 }, (_, n) => new Date((last - n) * stepMs));
  for (let n = 0; n < moments.length; n += 12)
    await addReadings(
      database,
      bulk,
      moments.slice(n, n + 12).flatMap((at) => allStations.map((_, station) => readingAt(station, at))),
    );
}

/** Stores `rate` new readings per second for some seconds, of one station after the other. `onProgress` gets the number so far. */
export async function generate(
  database: Database,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
  onProgress: (stored: number) => void,
): Promise<void> {
  await writeStations(database);
  const bulk = createBulkWriter(database);
  const began = Date.now();
  const total = rate * seconds;
  for (let stored = 0; stored < total;) {
    const due = Math.min(total, Math.ceil(((Date.now() - began) / 1000) * rate));
    const readings = Array.from({ length: Math.min(500, due - stored) }, (_, n) =>
      readingAt((stored + n) % STATIONS, new Date(Math.floor(began + ((stored + n) / rate) * 1000))),
    );
    if (readings.length > 0) stored += await addReadings(database, bulk, readings);
    onProgress(stored);
    if (stored >= due) await sleep(20);
  }
}
