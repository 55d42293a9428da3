import { readConfig } from '../src/config';
import type { Database } from '../src/kit/cassandra/database';
import { bucketAssignerOf, setBucketAssigner } from '../src/kit/lists/bucket-assigner';
import { clearGap } from '../src/kit/lists/clear-gap';
import { createBulkWriter } from '../src/kit/writes/bulk';
import { putAll } from '../src/kit/writes/row-writer';
import { gapped, lists, placeIn, watchReads, type Place } from '../test/support/worn-places';
import { median, round, say, type Line, type Section } from './measure';
import { environment, withDatabase, type Stage } from './stage';
import { openTracer, type Tracer } from './tombstones/passed';

/** How often a row is made and removed at one place. */
const CYCLES = 200_000;
const AT_ONCE = 500;
const LIVE_ROWS = 60;
const PAGES = 200;
/** Gaps are cleared as of this much later, because these removals take seconds: one caller needs 27 days for them at the default quota. */
const CLEARED_AHEAD_MS = 7_200_000;
/** Gaps of lists are renewed after as many removals as always, but without waiting, for the same reason: nobody else writes. */
const WITHOUT_WAITING = { trustedMs: 0, trustedForOldRowsMs: 0, effectiveMs: 0, settledMs: 0 };

/** Makes and removes rows at one place of every list, and of every other table whose removed rows readers would pass, and reads the first page before and after. */
export async function compareTombstones({ contactPoint, brief, tweets, only }: Stage): Promise<Section> {
  const cycles = tweets ?? (brief ? 2000 : CYCLES);
  const keyspace = 'bench_tombstones';
  const { localDatacenter } = readConfig(environment(contactPoint, keyspace)).cassandra;
  const lines = await withDatabase(contactPoint, keyspace, async (database) => {
    const tracer = await openTracer({ contactPoints: [contactPoint], localDatacenter, keyspace });
    setBucketAssigner(database, WITHOUT_WAITING);
    try {
      const done: Line[] = [];
      for (const table of [...lists, ...gapped].filter(({ name }) => name.includes(only))) {
        say(`Making and removing ${cycles} rows of ${table.name}`);
        done.push(await removeMany(database, tracer, table, cycles));
      }
      return done;
    } finally {
      await tracer.close();
    }
  });
  return { title: `The first page after ${cycles} rows were made and removed above it`, lines };
}

type Tried = Parameters<typeof placeIn>[0];

/** Makes and removes rows at one place of a table, and reads the first page before and after. */
async function removeMany(database: Database, tracer: Tracer, table: Tried, cycles: number): Promise<Line> {
  const place = placeIn(table, '7');
  const bulk = createBulkWriter(database);
  await putAll(
    bulk(),
    Array.from({ length: LIVE_ROWS }, (_, n) => place.put(n)),
  );
  const before = await readPages(database, tracer, place);
  for (let n = 0; n < cycles; n += AT_ONCE) {
    const items = Array.from({ length: AT_ONCE }, (_, k) => LIVE_ROWS + (n + k + 1) / cycles);
    await putAll(
      bulk(),
      items.map((item) => place.put(item)),
    );
    const removals = items.map((item) => place.remove(item));
    await putAll(bulk(), removals);
    const removed = removals[0]?.removed;
    if (removed) await clearGap(database, removed.table, removed.key, -CLEARED_AHEAD_MS);
    await bucketAssignerOf(database).gapsRenewed();
  }
  const after = await readPages(database, tracer, place);
  return {
    table: place.name,
    'ms before': round(before.milliseconds),
    'ms after': round(after.milliseconds),
    ratio: round(after.milliseconds / before.milliseconds),
    partitions: after.partitions,
    'rows before': before.passedRows,
    'rows after': after.passedRows,
    tombstones: after.tombstones,
    'same rows': String(after.rows.join() === before.rows.join()),
  };
}

/** Reads the first page again and again. */
async function readPages(database: Database, tracer: Tracer, place: Place) {
  const times: number[] = [];
  for (let n = 0; n < 2 * PAGES; n++) {
    const began = performance.now();
    await place.read(database, null);
    if (n >= PAGES) times.push(performance.now() - began);
  }
  const watched = watchReads(database);
  const rows = await place.read(watched.database, null);
  const passed = await Promise.all(watched.sent.map(({ cql, params }) => tracer.trace(cql, params)));
  return {
    rows,
    milliseconds: median(times),
    partitions: watched.sent.length,
    passedRows: passed.reduce((sum, { rows: found }) => sum + found, 0),
    tombstones: passed.reduce((sum, { tombstones }) => sum + tombstones, 0),
  };
}
