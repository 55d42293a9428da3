import { registerEnumType } from 'type-graphql';
import type { Context } from '../context';
import { MAX_ID } from '../kit/base/ids';
import type { Database } from '../kit/cassandra/database';
import { createLoad, type Load } from '../kit/data/load';
import type { TweetIndexes } from '../search/tweet-index';
import { createSpellings } from './spelling';
import { HOUR_SHARDS, hourOf, lastUses, MAX_TREND_WINDOW_MS } from './hashtag.table';

/** How far trends look back. */
export enum TrendWindow {
  HOUR = 'HOUR',
  DAY = 'DAY',
  WEEK = 'WEEK',
}
registerEnumType(TrendWindow, { name: 'TrendWindow', description: 'How far trends look back.' });

const HOUR = 3_600_000;
const windowsMs: Readonly<Record<TrendWindow, number>> = { HOUR, DAY: 24 * HOUR, WEEK: MAX_TREND_WINDOW_MS };

/** A hashtag with the number of authors who used it. */
interface CountedHashtag {
  /** The name as hashtags are compared. */
  readonly key: string;
  readonly count: number;
}

/** The same with the name as it is shown. */
interface Trend extends CountedHashtag {
  readonly name: string;
}

/** The most trends of a window that are kept and can be asked for. */
export const MAX_TRENDS = 100;

/** The trends of a server. */
interface Trends {
  /** The trends of a window, highest score first. They may be as old as the server's interval between counts. */
  of(window: TrendWindow): Promise<readonly Trend[]>;
}

/** The context of a query of trends. */
export interface TrendsContext extends Context {
  readonly trends: Trends;
}

/**
 * Creates the trends of a server. They are counted at most once in `everyMs` milliseconds, for all callers together, because
 * counting reads who used each hashtag in each hour of the window.
 */
export function createTrends(database: Database, indexes: TweetIndexes, everyMs: number): Trends {
  const spell = createSpellings(indexes);
  const named = async (counted: readonly CountedHashtag[]): Promise<Trend[]> => {
    const load = createLoad(database);
    if (counted.length > 0) await indexes.newest.view(load);
    return Promise.all(counted.map(async (trend) => ({ ...trend, name: await spell(load, trend.key) })));
  };
  const cached = new Map<TrendWindow, { readonly trends: Promise<readonly Trend[]>; until: number }>();
  return {
    of(window) {
      const before = cached.get(window);
      if (before && Date.now() < before.until) return before.trends;
      const trends = trending(database, window).then(named);
      const counted = { trends, until: Infinity };
      cached.set(window, counted);
      trends.then(
        () => (counted.until = Date.now() + everyMs),
        () => cached.delete(window),
      );
      return trends;
    },
  };
}

/** How many rows of a partition are read at a time. */
const PAGE_ROWS = 1000;
/** How many hours are read at once: at first, and at most. */
const FIRST_HOURS = 2;
const MAX_HOURS_AT_ONCE = 20;
/** After this many rows, older hours are left out: their uses count least. */
const MAX_TREND_ROWS = 500_000;

/**
 * The hashtags that most authors used lately, by score, then by name. An author counts once for each hashtag, by the latest
 * use: 1 in the last quarter of the window, ½ in the one before, then ¼ and ⅛. So a use loses half its weight every quarter
 * (exponential decay, in steps).
 */
async function trending(database: Database, window: TrendWindow): Promise<readonly CountedHashtag[]> {
  const now = Date.now();
  const length = windowsMs[window];
  const agesOf = new Map<string, Map<string, number>>();
  let read = 0;
  const readShard = async (load: Load, hour: number, part: number) => {
    for (let after = { hashtag: '', authorId: MAX_ID }; ;) {
      const rows = await load(lastUses, { hour, part, after, limit: PAGE_ROWS });
      read += rows.length;
      for (const { hashtag, authorId, createdAt } of rows) {
        const age = now - Number(createdAt);
        if (age >= length) continue;
        const authors = agesOf.get(hashtag) ?? new Map<string, number>();
        agesOf.set(hashtag, authors);
        authors.set(authorId, Math.min(age, authors.get(authorId) ?? Infinity));
      }
      const last = rows.at(-1);
      if (rows.length < PAGE_ROWS || last === undefined) return;
      after = last;
    }
  };
  const [oldest, newest] = [hourOf(new Date(now - length)), hourOf(new Date(now))];
  const hours = Array.from({ length: newest - oldest + 1 }, (_, index) => newest - index);
  const shards = Array.from({ length: HOUR_SHARDS }, (_, shard) => shard);
  for (let n = 0, atOnce = FIRST_HOURS; n < hours.length && read < MAX_TREND_ROWS; n += atOnce) {
    // As many hours as there is room for, if they have as many rows as those read so far.
    if (n > 0)
      atOnce = Math.max(
        1,
        Math.min(MAX_HOURS_AT_ONCE, Math.floor(((MAX_TREND_ROWS - read) * n) / (read + 1))),
      );
    const next = hours.slice(n, n + atOnce);
    // A load keeps the rows that it has read.
    const load = createLoad(database);
    await Promise.all(next.flatMap((hour) => shards.map((shard) => readShard(load, hour, shard))));
  }
  return [...agesOf]
    .map(([key, authors]) => ({ key, count: authors.size, score: scoreOf(authors.values(), length) }))
    .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
    .slice(0, MAX_TRENDS);
}

function scoreOf(ages: Iterable<number>, length: number): number {
  let score = 0;
  for (const age of ages) score += 2 ** -Math.floor((4 * Math.max(0, age)) / length);
  return score;
}
