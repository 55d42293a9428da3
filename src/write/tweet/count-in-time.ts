import { createLoad } from '../../kit/data/load';
import type { Change } from '../../kit/work/tally';
import { removalOf, writeOf } from '../../kit/data/write';
import type { Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import type { tweets } from '../../tweet/tweet.table';
import type { WriteContext } from '../write-context';
import { minuteOf, tweetFrequency, tweetsByMinute } from '../../frequency/frequency.table';
import { FrequencyUnit, lengths, periods, startOf } from '../../frequency/unit';

type Timed = Pick<Row<typeof tweets>, 'tweetId' | 'createdAt'> & { readonly language: string | null };

/** What counting needs. */
type Counting = Pick<WriteContext, 'database' | 'tally'>;

/** What a tweet without a language counts for. */
const UNKNOWN = 'und';

/** The row by which a tweet is counted in a part of its minute. */
export function minuteRowOf({ tweetId, createdAt, language }: Timed): Write {
  return writeOf(tweetsByMinute, { minute: minuteOf(createdAt), createdAt, tweetId, language });
}

/** The removal of that row, as of a time in microseconds. */
export function minuteRemovalOf({ tweetId, createdAt }: Omit<Timed, 'language'>, at: number): Write {
  return removalOf(tweetsByMinute, { minute: minuteOf(createdAt), createdAt, tweetId }, at);
}

/** Counts a tweet in its minute, hour and day, or takes it out of them, unless that is done. */
export async function countInTime(
  writeContext: Counting,
  { tweetId, createdAt, language }: Timed,
  change: Pick<Change, 'present' | 'at' | 'unlessKnown'>,
): Promise<void> {
  const owner = tallyOf(createdAt);
  const known = change.present ? [] : await writeContext.tally.lists(owner, tweetId);
  const lists = new Set([...known, language ?? UNKNOWN]);
  await Promise.all(
    [...lists].map((list) => writeContext.tally.change({ owner, list, member: tweetId, ...change })),
  );
  for (const list of lists) await refreshFrequency(writeContext, createdAt, list);
}

/** Whose tally a minute is, also one before 1970: no user's or tweet's id is below zero. */
function tallyOf(moment: Date): string {
  return String(-(2 ** 40) - minuteOf(moment));
}

/** Whose minute a tally is: its first moment; null for the tally of a user or a tweet. */
export function minuteOfTally(owner: string): Date | null {
  const minute = -(2 ** 40) - Number(owner);
  return BigInt(owner) >= 0n ? null : new Date(minute * 60_000);
}

/** Makes what is shown of a minute what the tally says, and of its hour and day what their parts say. */
export async function refreshFrequency(
  writeContext: Counting,
  moment: Date,
  language: string,
): Promise<void> {
  const { counts, version } = await writeContext.tally.totals(tallyOf(moment));
  await show(writeContext, FrequencyUnit.MINUTE, moment, language, {
    posted: counts.get(language) ?? 0,
    version,
  });
  for (const [unit, part] of [
    [FrequencyUnit.HOUR, FrequencyUnit.MINUTE],
    [FrequencyUnit.DAY, FrequencyUnit.HOUR],
  ] as const)
    await show(writeContext, unit, moment, language, await sumOf(writeContext, unit, part, moment, language));
}

interface Shown {
  readonly posted: number;
  readonly version: number;
}

async function show(
  { database }: Counting,
  unit: FrequencyUnit,
  moment: Date,
  language: string,
  { posted, version }: Shown,
): Promise<void> {
  const row = { unit, period: periods[unit](moment), at: startOf(unit, moment), language, posted, version };
  // The greater version is the newer one, whoever writes last.
  const { query, params } = writeOf(tweetFrequency, row, { at: version });
  await database.write(query, params);
}

/** The sum of the parts of an hour or a day: whoever changed a part last sees all of them. */
async function sumOf(
  { database }: Counting,
  unit: FrequencyUnit,
  part: FrequencyUnit,
  moment: Date,
  language: string,
): Promise<Shown> {
  const start = startOf(unit, moment);
  const end = Number(start) + lengths[unit];
  let [posted, version] = [0, 0];
  for (let after: readonly unknown[] = [start, '']; ;) {
    const key = { unit: part, period: periods[part](moment), after, limit: 1000 };
    const rows = await createLoad(database)(tweetFrequency.page, key);
    for (const row of rows) {
      if (Number(row.at) >= end || row.language !== language) continue;
      posted += row.posted ?? 0;
      version += row.version ?? 0;
    }
    const last = rows.at(-1);
    if (rows.length < 1000 || last === undefined || Number(last.at) >= end) return { posted, version };
    after = [last.at, last.language];
  }
}
