import { tweetFrequency } from '../../frequency/frequency.table';
import { FrequencyUnit, lengths, periods, startOf } from '../../frequency/unit';
import type { Database, Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { createLoad } from '../../kit/data/load';
import { writeOf } from '../../kit/data/write';
import { DAY_SHARDS } from '../../tweet/tweet.table';
import { waitForWrites } from './count-at-version';
import type { RowWriter } from '../../kit/data/row-writer';

const read = 'SELECT created_at, language FROM tweets_by_day WHERE shard = ? AND day = ?';
const readDays = 'SELECT DISTINCT shard, CAST(day AS text) AS day FROM tweets_by_day';
const UNITS = [FrequencyUnit.MINUTE, FrequencyUnit.HOUR, FrequencyUnit.DAY];
/** How often a day is counted if writes change its counts every time. */
const MAX_TRIES = 10;

type Cell = Row<typeof tweetFrequency>;

/** The UTC days that have tweets, as `2026-10-31`. */
export async function daysIn(database: Database): Promise<Set<string>> {
  const days = new Set<string>();
  for await (const row of database.stream(readDays, [])) days.add((row as { day: string }).day);
  return days;
}

/** How many days are counted at the same time. */
const DAYS_AT_ONCE = 16;

/** Counts the tweets of several UTC days again; see `settleDay`. */
export async function settleDays(
  database: Database,
  days: Iterable<string>,
  writer: Pick<RowWriter, 'put'>,
): Promise<void> {
  const all = [...days];
  for (let n = 0; n < all.length; n += DAYS_AT_ONCE)
    await Promise.all(
      all.slice(n, n + DAYS_AT_ONCE).map((day) => settleDay(database, day, (write) => writer.put(write))),
    );
}

/**
 * Counts the tweets of a UTC day again, by minute, hour, day and language. The tweets that `posted` does not count were
 * imported, and `put` writes the counts of imported tweets that changed. Resolves to how many counts were compared.
 */
export async function settleDay(
  database: Database,
  day: string,
  put: (write: Write) => Promise<void>,
): Promise<number> {
  for (let tries = 1; ; tries++) {
    const before = await cellsOf(database, day);
    const counts = await countDay(database, day);
    await waitForWrites(database);
    const cells = await cellsOf(database, day);
    if (versionOf(before) !== versionOf(cells) && tries < MAX_TRIES) continue;
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
          writeOf(tweetFrequency, { unit, period: periods[unit](at), at, language, imported: count }),
        );
    }
    return imported.size;
  }
}

/** Adds the counts of minutes to their hours and days. */
function addUp(imported: Map<string, number>): void {
  for (const [key, count] of [...imported]) {
    const [unit, time, language = ''] = key.split(' ');
    if (unit !== FrequencyUnit.MINUTE) continue;
    for (const longer of [FrequencyUnit.HOUR, FrequencyUnit.DAY]) {
      const whole = keyOf(longer, startOf(longer, new Date(Number(time))), language);
      imported.set(whole, (imported.get(whole) ?? 0) + count);
    }
  }
}

async function countDay(database: Database, day: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let shard = 0; shard < DAY_SHARDS; shard++) {
    for await (const row of database.stream(read, [shard, day])) {
      const { created_at: at, language } = row as { created_at: Date; language: string | null };
      const key = keyOf(FrequencyUnit.MINUTE, startOf(FrequencyUnit.MINUTE, at), language ?? 'und');
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

function keyOf(unit: string, at: Date, language: string): string {
  return `${unit} ${Number(at)} ${language}`;
}

function keyIn({ unit, at, language }: Cell): string {
  return keyOf(unit, at, language);
}

function versionOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { version }) => sum + (version ?? 0), 0);
}

/** About how many rows a day has of each unit in a few languages, because rows beyond them are of other days. */
const ROWS_AT_ONCE: Readonly<Record<FrequencyUnit, number>> = { MINUTE: 5000, HOUR: 500, DAY: 30 };

/** The stored counts of a day. */
async function cellsOf(database: Database, day: string): Promise<Cell[]> {
  const start = new Date(day);
  const end = Number(start) + lengths.DAY;
  const cells: Cell[] = [];
  for (const unit of UNITS) {
    for (let after: readonly unknown[] = [start, '']; ;) {
      const key = { unit, period: periods[unit](start), after, limit: ROWS_AT_ONCE[unit] };
      const rows = await createLoad(database)(tweetFrequency.page, key);
      for (const row of rows) if (Number(row.at) < end) cells.push(row);
      const last = rows.at(-1);
      if (rows.length < ROWS_AT_ONCE[unit] || last === undefined || Number(last.at) >= end) break;
      after = [last.at, last.language];
    }
  }
  return cells;
}
