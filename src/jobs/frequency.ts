import { createGrowingCache } from '../kit/base/growing-cache';
import { minuteOfTally } from '../features/frequency/minute-tally';
import { refreshFrequency } from '../write/tweet/count-in-time';
import { tweetFrequency } from '../features/frequency/frequency.table';
import { FrequencyUnit, unitLengths } from '../features/frequency/unit';
import { settleDay } from '../import/store/frequency';
import { daysIn } from '../import/store/tweets-of-days';
import { shuffled } from '../kit/base/random';
import { createBulkWriter } from '../kit/writes/bulk';
import type { Database, Write } from '../kit/cassandra/database';
import { createTally, tallies } from '../kit/work/tally';
import type { Job } from './job';
import { passWrites } from './recount';
import { requireNoImport } from './require-no-import';
import { keyIn, rowIn } from './stored';

/** How many tallies are remembered whose count has been copied. */
const MAX_REMEMBERED = 100_000;
/** How many days are counted for a sample of 1,000 rows. */
const DAYS_OF_A_THOUSAND = 10;

/**
 * The job of the tweet counts of each minute, hour and day: copies what mutations added from the tallies, and finds the
 * rest by counting the tweets of each day.
 */
export const frequencyJob: Job = {
  name: tweetFrequency.name,
  async rebuild({ database }, onProgress) {
    const rebuilt = { looked: 0, written: 0, removed: 0, refused: 0 };
    await requireNoImport(database);
    await showTallies(database);
    const bulk = createBulkWriter(database)();
    for (const day of await allDays(database)) {
      rebuilt.looked += await settleDay(database, day, async (write) => {
        rebuilt.written++;
        await bulk.put(write);
      });
      await bulk.flush();
      onProgress(rebuilt);
    }
    return rebuilt;
  },
  async verify({ database }, size) {
    let looked = 0;
    const sampledDays = Math.max(1, Math.ceil((size * DAYS_OF_A_THOUSAND) / 1000));
    const wrong = new Map<string, Map<string, Write>>();
    for (const day of shuffled([...(await allDays(database))]).slice(0, sampledDays)) {
      const writes = await wrongOn(database, day, (count) => (looked += count));
      if (writes.size > 0) wrong.set(day, writes);
    }
    if (wrong.size > 0) await passWrites(database);
    const examples: string[] = [];
    for (const [day, before] of wrong)
      for (const [key, write] of await wrongOn(database, day, () => undefined))
        if (before.has(key)) examples.push(`different: ${joinName(write)}`);
    return { looked, missing: 0, surplus: 0, different: examples.length, examples: examples.slice(0, 3) };
  },
};

/** Sets the counts of posted tweets to those of the tallies. */
async function showTallies(database: Database): Promise<void> {
  const counting = { database, tally: createTally(database) };
  const shown = createGrowingCache<true>(MAX_REMEMBERED);
  for await (const row of database.stream(tallies.keys.all, [])) {
    const { owner, member, list } = row as { owner: string; member: string; list: string };
    const minute = minuteOfTally(owner);
    const key = `${owner} ${list}`;
    if (minute === null || member !== '0' || shown.has(key)) continue;
    shown.set(key, true);
    await refreshFrequency(counting, minute, list);
  }
}

const readDays = 'SELECT DISTINCT period, unit FROM tweet_frequency';

/** The UTC days that have tweets or counts. */
async function allDays(database: Database): Promise<ReadonlySet<string>> {
  const days = await daysIn(database);
  for await (const row of database.stream(readDays, [])) {
    // A partition of minutes is a day.
    const { period, unit } = row as { period: number; unit: FrequencyUnit };
    if (unit === FrequencyUnit.MINUTE)
      days.add(new Date(period * unitLengths[FrequencyUnit.DAY]).toISOString().slice(0, 10));
  }
  return days;
}

/** The writes that would repair the counts of a day, by the keys of their rows. */
async function wrongOn(
  database: Database,
  day: string,
  onLooked: (count: number) => void,
): Promise<Map<string, Write>> {
  const writes = new Map<string, Write>();
  onLooked(
    await settleDay(database, day, async (write) => {
      writes.set(keyIn(tweetFrequency, rowIn(tweetFrequency, write)), write);
      return Promise.resolve();
    }),
  );
  return writes;
}

function joinName(write: Write): string {
  const { unit, at, language } = rowIn(tweetFrequency, write);
  return `${String(unit)} ${(at as Date).toISOString()}, language ${String(language)}`;
}
