import { registerEnumType } from 'type-graphql';
import type { Context } from '../context';
import type { Database } from '../kit/cassandra/database';
import { createLoad, type Load } from '../kit/data/load';
import { HOUR_SHARDS, hashtagsByHour, hourOf, MAX_TREND_WINDOW_MS } from './hashtag.table';

/** How far back a trend reaches. */
export enum TrendWindow {
  HOUR = 'HOUR',
  DAY = 'DAY',
  WEEK = 'WEEK',
}
registerEnumType(TrendWindow, { name: 'TrendWindow', description: 'How far back a trend reaches.' });

const HOUR = 3_600_000;
const lengths: Readonly<Record<TrendWindow, number>> = { HOUR, DAY: 24 * HOUR, WEEK: MAX_TREND_WINDOW_MS };

/** A hashtag with the number of authors who used it. */
export interface Trend {
  readonly name: string;
  readonly count: number;
}

/** The most trends that are remembered of a window, and may be asked for. */
export const MAX_TRENDS = 100;

/** The trends of a server. */
export interface Trends {
  /** What trends in a window, the greatest score first: as it was at most so long ago. */
  of(window: TrendWindow): Promise<readonly Trend[]>;
}

/** What a query about trends has. */
export interface TrendsContext extends Context {
  readonly trends: Trends;
}

/**
 * Makes the trends of a server. They are counted at most once in so many milliseconds for all who ask, since counting
 * reads every use of every hashtag in the window.
 */
export function createTrends(database: Database, everyMs: number): Trends {
  const known = new Map<TrendWindow, { readonly trends: Promise<readonly Trend[]>; until: number }>();
  return {
    of(window) {
      const before = known.get(window);
      if (before && Date.now() < before.until) return before.trends;
      const trends = trending(createLoad(database), window);
      const counted = { trends, until: Infinity };
      known.set(window, counted);
      trends.then(
        () => (counted.until = Date.now() + everyMs),
        () => known.delete(window),
      );
      return trends;
    },
  };
}

/** How many rows of a partition are read at a time, and hours at once. */
const ROWS_AT_ONCE = 1000;
const FIRST_HOURS = 2;
const HOURS_AT_ONCE = 20;
/** With how many rows older hours are left out, which count least. */
const MAX_TREND_ROWS = 500_000;

/**
 * The hashtags that most authors used lately. An author counts once, by the last use: 1 in the last quarter of the window, ½
 * in the one before, then ¼ and ⅛; so a use loses half its weight every quarter (exponential decay, in steps). Ties by name.
 */
async function trending(load: Load, window: TrendWindow): Promise<readonly Trend[]> {
  const now = Date.now();
  const length = lengths[window];
  const lastUses = new Map<string, Map<string, number>>();
  let read = 0;
  const readPart = async (hour: number, part: number) => {
    for (let after: readonly unknown[] | undefined; ;) {
      const rows = await load(hashtagsByHour.page, { hour, part, after, limit: ROWS_AT_ONCE });
      read += rows.length;
      for (const { hashtag, authorId, createdAt } of rows) {
        const age = now - Number(createdAt);
        if (age >= length) continue;
        const authors = lastUses.get(hashtag) ?? new Map<string, number>();
        lastUses.set(hashtag, authors);
        authors.set(authorId, Math.min(age, authors.get(authorId) ?? Infinity));
      }
      const last = rows.at(-1);
      if (rows.length < ROWS_AT_ONCE || last === undefined) return;
      after = [last.hashtag, last.authorId, last.tweetId];
    }
  };
  const [oldest, newest] = [hourOf(new Date(now - length)), hourOf(new Date(now))];
  const hours = Array.from({ length: newest - oldest + 1 }, (_, place) => newest - place);
  const parts = Array.from({ length: HOUR_SHARDS }, (_, part) => part);
  for (let n = 0, atOnce = FIRST_HOURS; n < hours.length && read < MAX_TREND_ROWS; n += atOnce) {
    // As many as there is room for, should they be like those before.
    if (n > 0)
      atOnce = Math.max(1, Math.min(HOURS_AT_ONCE, Math.floor(((MAX_TREND_ROWS - read) * n) / (read + 1))));
    const some = hours.slice(n, n + atOnce);
    await Promise.all(some.flatMap((hour) => parts.map((part) => readPart(hour, part))));
  }
  return [...lastUses]
    .map(([name, authors]) => ({ name, count: authors.size, score: scoreOf(authors.values(), length) }))
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_TRENDS);
}

function scoreOf(ages: Iterable<number>, length: number): number {
  let score = 0;
  for (const age of ages) score += 2 ** -Math.floor((4 * Math.max(0, age)) / length);
  return score;
}
