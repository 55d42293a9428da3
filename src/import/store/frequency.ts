import { tweetFrequency } from '../../features/frequency/frequency.table';
import { FrequencyUnit, unitLengths, unitPeriods, startOfUnit } from '../../features/frequency/unit';
import type { Database, Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { createLoad, readMany } from '../../kit/reads/load';
import { writeOf } from '../../kit/cassandra/write';
import { eachOfDays } from './tweets-of-days';
import { waitForWrites } from './count-at-version';
import type { RowWriter } from '../../kit/writes/row-writer';

const LONGER = [FrequencyUnit.HOUR, FrequencyUnit.DAY] as const;
/** How often a day is counted if writes, or an import, change its counts every time. */
const MAX_TRIES = 10;

type Cell = Row<typeof tweetFrequency>;
/** The stored counts of days, by day. */
type CellsByDay = ReadonlyMap<string, readonly Cell[]>;

/** How many days of a month are counted together, and how many such groups at the same time. */
const DAYS_TOGETHER = 8;
const GROUPS_AT_ONCE = 2;

/** Counts the tweets of several UTC days again; see `settleDay`. */
export async function settleDays(
  database: Database,
  days: Iterable<string>,
  writer: Pick<RowWriter, 'put'>,
): Promise<void> {
  const groups: string[][] = [];
  for (const day of [...days].sort()) {
    const group = groups.at(-1);
    if (group?.[0]?.slice(0, 7) === day.slice(0, 7) && group.length < DAYS_TOGETHER) group.push(day);
    else groups.push([day]);
  }
  for (let n = 0; n < groups.length; n += GROUPS_AT_ONCE)
    await Promise.all(
      groups
        .slice(n, n + GROUPS_AT_ONCE)
        .map((group) => settleGroup(database, group, (write) => writer.put(write))),
    );
}

/**
 * Counts the tweets of a UTC day again, by minute, hour, day and language. The tweets that `posted` does not count were
 * imported, and `put` writes the counts of imported tweets that changed. Resolves to how many counts were compared.
 */
export function settleDay(
  database: Database,
  day: string,
  put: (write: Write) => Promise<void>,
): Promise<number> {
  return settleGroup(database, [day], put);
}

/** The same for some days of one month, which are read together. */
async function settleGroup(
  database: Database,
  group: readonly string[],
  put: (write: Write) => Promise<void>,
): Promise<number> {
  let compared = 0;
  let remaining = group;
  for (let tries = 1; remaining.length > 0; tries++) {
    const before = await readStoredCells(database, remaining);
    const counts = await countDays(database, remaining);
    await waitForWrites(database);
    const after = await readStoredCells(database, remaining);
    const changing: string[] = [];
    for (const day of remaining) {
      const cells = [before.get(day) ?? [], after.get(day) ?? []] as const;
      if (stateOf(cells[0]) !== stateOf(cells[1]) && tries < MAX_TRIES) changing.push(day);
      else compared += await repairCounts(counts.get(day) ?? new Map<string, number>(), ...cells, put);
    }
    remaining = changing;
  }
  return compared;
}

/** Writes the counts of a day that differ from those stored. `before` and `cells` are those stored before and after the counting. */
async function repairCounts(
  counts: ReadonlyMap<string, number>,
  before: readonly Cell[],
  cells: readonly Cell[],
  put: (write: Write) => Promise<void>,
): Promise<number> {
  const versions = new Map(before.map((cell) => [keyIn(cell), cell.version]));
  const stored = new Map(cells.map((cell) => [keyIn(cell), cell]));
  const imported = new Map<string, number>();
  for (const key of new Set([...counts.keys(), ...stored.keys()])) {
    const cell = stored.get(key);
    // A tweet that is posted meanwhile may be in one of the two numbers only: such a minute keeps its count.
    const isSteady = (cell?.version ?? null) === (versions.get(key) ?? null);
    const isMinute = key.startsWith(`${FrequencyUnit.MINUTE} `);
    if (isMinute)
      imported.set(key, isSteady ? (counts.get(key) ?? 0) - (cell?.posted ?? 0) : (cell?.imported ?? 0));
    else imported.set(key, 0);
  }
  addUp(imported);
  for (const [key, count] of imported) {
    const [unit, time, language] = key.split(' ') as [FrequencyUnit, string, string];
    const at = new Date(Number(time));
    if (count !== (stored.get(key)?.imported ?? 0))
      await put(
        writeOf(tweetFrequency, { unit, period: unitPeriods[unit](at), at, language, imported: count }),
      );
  }
  return imported.size;
}

/** Adds the counts of minutes to their hours and days. */
function addUp(imported: Map<string, number>): void {
  for (const [key, count] of [...imported]) {
    const [unit, time, language = ''] = key.split(' ');
    if (unit !== FrequencyUnit.MINUTE) continue;
    for (const longer of LONGER) {
      const whole = joinCellKey(longer, startOfUnit(longer, new Date(Number(time))), language);
      imported.set(whole, (imported.get(whole) ?? 0) + count);
    }
  }
}

/** Counts the tweets of some days by minute and language. */
async function countDays(
  database: Database,
  days: readonly string[],
): Promise<Map<string, Map<string, number>>> {
  const counts = new Map(days.map((day) => [day, new Map<string, number>()]));
  await eachOfDays(database, days, (day, { createdAt, language }) => {
    const ofDay = counts.get(day);
    const minute = startOfUnit(FrequencyUnit.MINUTE, createdAt);
    const key = joinCellKey(FrequencyUnit.MINUTE, minute, language ?? 'und');
    ofDay?.set(key, (ofDay.get(key) ?? 0) + 1);
  });
  return counts;
}

function joinCellKey(unit: string, at: Date, language: string): string {
  return `${unit} ${Number(at)} ${language}`;
}

function keyIn({ unit, at, language }: Cell): string {
  return joinCellKey(unit, at, language);
}

/** Equal for counts of a day that nothing has changed in between. A rebuild may count while a short import begins and ends. */
function stateOf(cells: readonly Cell[]): string {
  const [versions, imported] = [
    cells.map(({ version }) => version),
    cells.map(({ imported: count }) => count),
  ];
  const sumOf = (numbers: readonly (number | null)[]) =>
    numbers.reduce<number>((sum, n) => sum + (n ?? 0), 0);
  return `${sumOf(versions)} ${sumOf(imported)}`;
}

/** How many rows are read at once. */
const ROWS_AT_ONCE = 5000;
/** About how many rows a day has of hours and of the day, in a few languages, because rows beyond them are of other days. */
const ROWS_OF_DAY = { HOUR: 500, DAY: 30 } as const;

/** The stored counts of some days of one month. */
async function readStoredCells(database: Database, days: readonly string[]): Promise<CellsByDay> {
  const cells = new Map(days.map((day) => [day, [] as Cell[]]));
  const collect = (rows: readonly Cell[]) => {
    for (const row of rows) cells.get(row.at.toISOString().slice(0, 10))?.push(row);
  };
  const starts = days.map((day) => new Date(day));
  const end = Number(starts.at(-1)) + unitLengths.DAY;
  // The minutes of each day are a partition. Most are read whole, by one request.
  const unit = FrequencyUnit.MINUTE;
  const minutes = starts.map((start) => ({ unit, period: unitPeriods.MINUTE(start), limit: ROWS_AT_ONCE }));
  const pages = await readMany(database, tweetFrequency.page, minutes);
  for (const [index, rows] of pages.entries()) {
    collect(rows);
    const { period = 0 } = minutes[index] ?? {};
    const last = rows.at(-1);
    if (rows.length === ROWS_AT_ONCE && last)
      await readCells(database, { unit, period }, { from: last, end, limit: ROWS_AT_ONCE }, collect);
  }
  const first = starts[0] ?? new Date(0);
  for (const longer of LONGER) {
    const partition = { unit: longer, period: unitPeriods[longer](first) };
    const limit = Math.min(ROWS_AT_ONCE, ROWS_OF_DAY[longer] * days.length);
    await readCells(database, partition, { from: { at: first, language: '' }, end, limit }, collect);
  }
  return cells;
}

/** Reads the counts of a partition after a position, up to the end of a time. */
async function readCells(
  database: Database,
  partition: Pick<Cell, 'unit' | 'period'>,
  { from, end, limit }: { from: Pick<Cell, 'at' | 'language'>; end: number; limit: number },
  collect: (rows: readonly Cell[]) => void,
): Promise<void> {
  for (let last = from; ;) {
    const key = { ...partition, after: [last.at, last.language], limit };
    const rows = await createLoad(database)(tweetFrequency.page, key);
    collect(rows.filter(({ at }) => Number(at) < end));
    const next = rows.at(-1);
    if (rows.length < limit || next === undefined || Number(next.at) >= end) return;
    last = next;
  }
}
