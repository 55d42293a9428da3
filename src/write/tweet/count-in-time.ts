import { LRUCache } from 'lru-cache';
import { createLoad } from '../../kit/reads/load';
import { runShared } from '../../kit/base/shared-runs';
import { pauseAmong } from '../../kit/base/pace';
import { TALLY_SHARDS, type Change, type ShardCount, type Tally } from '../../kit/work/tally';
import { shardOf } from '../../kit/base/shard-of';
import { removalOf, writeOf } from '../../kit/cassandra/write';
import type { Write } from '../../kit/cassandra/database';
import type { TweetRow } from '../../features/tweet/tweet.table';
import type { WriteServices } from '../write-services';
import { minuteOf } from '../../kit/base/period';
import {
  MINUTE_SHARDS,
  postedFrequency,
  tweetFrequency,
  tweetsByMinute,
} from '../../features/frequency/frequency.table';
import { nameMinuteTally } from '../../features/frequency/minute-tally';
import { FrequencyUnit, unitLengths, unitPeriods, startOfUnit } from '../../features/frequency/unit';

type Timed = Pick<TweetRow, 'tweetId' | 'createdAt'> & { readonly language: string | null };

/** The services by which tweets are counted by time. */
type Counting = Pick<WriteServices, 'database' | 'tally'>;

/** The least time, in milliseconds, between two groups of new tweets that a server counts together. */
const NEW_TWEETS_PAUSE_MS = 100;

/** The language under which tweets without one are counted. */
const UNKNOWN = 'und';

/** The row of a tweet among those of its minute: periods that begin or end within a minute count these rows. */
export function buildMinuteRow({ tweetId, createdAt, language }: Timed): Write {
  return writeOf(tweetsByMinute, { ...minuteKey({ tweetId, createdAt }), createdAt, tweetId, language });
}

/** The removal of that row; `at` is its write time in microseconds. */
export function buildMinuteRemoval({ tweetId, createdAt }: Omit<Timed, 'language'>, at: number): Write {
  return removalOf(tweetsByMinute, { ...minuteKey({ tweetId, createdAt }), createdAt, tweetId }, at);
}

function minuteKey({ tweetId, createdAt }: Omit<Timed, 'language'>) {
  return { shard: shardOf(tweetId, MINUTE_SHARDS), minute: minuteOf(createdAt) };
}

/** A change of the counts of a minute. */
type TimeChange = Pick<Change, 'present' | 'at' | 'unlessKnown'>;

/** Counts a tweet in its minute, hour and day, or removes it from these counts. Repeating it changes nothing. */
export async function countInTime(writeServices: Counting, tweet: Timed, change: TimeChange): Promise<void> {
  const { tweetId, createdAt, language } = tweet;
  const { tally } = writeServices;
  const owner = nameMinuteTally(createdAt);
  const known = await tally.memberships(owner, tweetId, chooseServerShard(tweetId));
  const formerLists = [...known].flatMap(([list, { present }]) => (present && !change.present ? [list] : []));
  await countIn(writeServices, tweet, change, new Set([...formerLists, language ?? UNKNOWN]));
}

/**
 * The same for a tweet that was just created, so that nothing needs to be read before: this server knows what it has counted in its shard,
 * which it seldom shares. Tweets that come soon after another one wait a moment, so that those of a minute share a transaction and its sums.
 */
export async function countNewInTime(
  writeServices: Counting & Pick<WriteServices, 'worker'>,
  tweet: Timed,
  change: TimeChange,
): Promise<void> {
  const begin = () => Promise.resolve();
  const pauseMs = pauseAmong(writeServices.worker.helpers() + 1, NEW_TWEETS_PAUSE_MS);
  await runShared(writeServices.database, 'new tweets', null, begin, pauseMs);
  const { tally } = writeServices;
  const list = tweet.language ?? UNKNOWN;
  const counted = timeChange(tweet, list, change);
  const lastCounts = lastCountsOf(tally);
  const key = `${counted.owner} ${list} ${counted.shard}`;
  const last = lastCounts.get(key) ?? { count: { count: 0, version: 0 }, isShared: false };
  const ahead = last.isShared ? undefined : tally.guessAhead(counted, Promise.resolve(last.count));
  const { ofShard } = await tally.change(counted, ahead);
  const known = lastCounts.get(key) ?? last;
  // If other servers count, too, the next guess would be as wrong.
  const isShared = known.isShared || ofShard.version > known.count.version + 1;
  lastCounts.set(key, { count: ofShard.version > known.count.version ? ofShard : known.count, isShared });
  await refreshFrequency(writeServices, tweet.createdAt, list);
}

/** The last count of a server in a shard of a minute's list, and whether others count there, too. */
interface LastCount {
  readonly count: ShardCount;
  readonly isShared: boolean;
}

/** How many of these a server remembers: those of the present minute. */
const MAX_LAST_COUNTS = 500;

const lastCountsByTally = new WeakMap<Tally, LRUCache<string, LastCount>>();

function lastCountsOf(tally: Tally): LRUCache<string, LastCount> {
  let known = lastCountsByTally.get(tally);
  if (known === undefined)
    lastCountsByTally.set(tally, (known = new LRUCache<string, LastCount>({ max: MAX_LAST_COUNTS })));
  return known;
}

async function countIn(
  writeServices: Counting,
  tweet: Timed,
  change: TimeChange,
  lists: ReadonlySet<string>,
): Promise<void> {
  await Promise.all([...lists].map((list) => writeServices.tally.change(timeChange(tweet, list, change))));
  for (const list of lists) await refreshFrequency(writeServices, tweet.createdAt, list);
}

/** The change of a minute's tally by which a tweet is counted in a list of it. */
function timeChange({ tweetId, createdAt }: Timed, list: string, change: TimeChange) {
  const [owner, shard] = [nameMinuteTally(createdAt), chooseServerShard(tweetId)];
  return { owner, list, member: tweetId, shard, ...change };
}

/**
 * Returns the shard in which a tweet is counted: that of the server which created it, whose number is in the id (see `Worker.nextId`). So
 * servers with different shards do not wait for each other's transactions.
 */
function chooseServerShard(tweetId: string): number {
  return shardOf(String(BigInt(tweetId) >> 12n), TALLY_SHARDS);
}

/**
 * Sets the count of a language that is shown for a minute to that of the tally, and those of its hour and day to sums of minutes and hours.
 * Languages of a minute that are refreshed at the same time share the requests.
 */
export function refreshFrequency(writeServices: Counting, moment: Date, language: string): Promise<void> {
  const key = `frequency ${minuteOf(moment)}`;
  return runShared(writeServices.database, key, language, (languages) =>
    refresh(writeServices, moment, new Set(languages)),
  );
}

async function refresh(writeServices: Counting, moment: Date, languages: ReadonlySet<string>): Promise<void> {
  const { counts, version } = await writeServices.tally.totals(nameMinuteTally(moment));
  const ofMinute = Array.from(languages, (language) => ({
    ...{ language, posted: counts.get(language) ?? 0, version },
  }));
  await show(writeServices, FrequencyUnit.MINUTE, moment, ofMinute);
  for (const [unit, smaller] of [
    [FrequencyUnit.HOUR, FrequencyUnit.MINUTE],
    [FrequencyUnit.DAY, FrequencyUnit.HOUR],
  ] as const)
    await show(writeServices, unit, moment, await sumsOf(writeServices, unit, smaller, moment, languages));
}

interface Shown {
  readonly language: string;
  readonly posted: number;
  readonly version: number;
}

async function show(
  { database }: Counting,
  unit: FrequencyUnit,
  moment: Date,
  ofLanguages: readonly Shown[],
): Promise<void> {
  const place = { unit, period: unitPeriods[unit](moment), at: startOfUnit(unit, moment) };
  // The version is the write timestamp: the newer count wins, in whatever order the writes come.
  const writes = ofLanguages.map((shown) =>
    writeOf(tweetFrequency, { ...place, ...shown }, { at: shown.version }),
  );
  for (let n = 0; n < writes.length; n += LANGUAGES_AT_ONCE)
    await database.batch(writes.slice(n, n + LANGUAGES_AT_ONCE));
}

/** How many languages are written at once. Their rows are in one partition. */
const LANGUAGES_AT_ONCE = 50;

/** How many rows of a partition are read at a time. */
const PAGE_ROWS = 1000;

/** Sums the minutes of an hour or the hours of a day. The last one to change one of them sees the changes of all others. */
async function sumsOf(
  { database }: Counting,
  unit: FrequencyUnit,
  smaller: FrequencyUnit,
  moment: Date,
  languages: ReadonlySet<string>,
): Promise<readonly Shown[]> {
  const start = Number(startOfUnit(unit, moment));
  const load = createLoad(database);
  const partition = { unit: smaller, period: unitPeriods[smaller](moment) };
  const before = new Date(start + unitLengths[unit]);
  const sums = new Map(Array.from(languages, (language) => [language, { posted: 0, version: 0 }]));
  for (let after = { at: new Date(start), language: '' }; ;) {
    const rows = await load(postedFrequency, { ...partition, after, before, limit: PAGE_ROWS });
    for (const row of rows) {
      const sum = sums.get(row.language);
      if (sum === undefined) continue;
      sum.posted += row.posted ?? 0;
      sum.version += row.version ?? 0;
    }
    const last = rows.at(-1);
    if (rows.length < PAGE_ROWS || last === undefined)
      return Array.from(sums, ([language, sum]) => ({ language, ...sum }));
    after = last;
  }
}
