import { registerEnumType } from 'type-graphql';
import type { Context } from '../../context';
import type { Database } from '../../kit/cassandra/database';
import { hiddenTest } from '../../kit/reads/hidden-users';
import { createLoad } from '../../kit/reads/load';
import type { TweetIndexes } from '../search/tweet-index';
import { rankHashtags, type CountedHashtag } from './rank-hashtags';
import { readUses, type Use } from './read-uses';
import { createSpellings } from './spelling';
import { MAX_TREND_WINDOW_MS } from './hashtag.table';

/** How far trends look back. */
export enum TrendWindow {
  HOUR = 'HOUR',
  DAY = 'DAY',
  WEEK = 'WEEK',
}
registerEnumType(TrendWindow, { name: 'TrendWindow', description: 'How far trends look back.' });

const HOUR = 3_600_000;
const windowsMs: Readonly<Record<TrendWindow, number>> = { HOUR, DAY: 24 * HOUR, WEEK: MAX_TREND_WINDOW_MS };

/** The same with the name as it is shown. */
interface Trend extends CountedHashtag {
  readonly name: string;
}

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
      const now = Date.now();
      const trends = countTrends(database, { from: now - windowsMs[window], to: now }).then(named);
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

/** The number of steps in which a use loses weight: by half in each quarter of the window. */
const STEPS = 4;

/**
 * Counts the hashtags that most authors used in a period, in milliseconds since 1970, by score, then by name. An author counts once for
 * each hashtag, by the latest use: 1 in the last quarter of the period, ½ in the one before, then ¼ and ⅛. So a use loses half its weight
 * every quarter (exponential decay, in steps). If there are more than `maxRows` uses, counts and scores are estimates from a sample of the
 * authors.
 */
export async function countTrends(
  database: Database,
  { from, to }: { readonly from: number; readonly to: number },
  maxRows?: number,
): Promise<readonly CountedHashtag[]> {
  const length = to - from;
  // For each hashtag: the step of each author's latest use. Numbers take a tenth of the memory of ids and times.
  const stepsOf = new Map<string, Map<number, number>>();
  const numbers = new Map<string, number>();
  const hashes: number[] = [];
  const isHidden = hiddenTest(database);
  const onUse = ({ hashtag, authorId, authorHash, createdAt }: Use) => {
    const age = to - Number(createdAt);
    if (age >= length || isHidden?.(authorId) === true) return;
    const author = numbers.get(authorId) ?? numbers.size;
    numbers.set(authorId, author);
    hashes[author] = authorHash;
    const authors = stepsOf.get(hashtag) ?? new Map<number, number>();
    stepsOf.set(hashtag, authors);
    const step = Math.floor((STEPS * Math.max(0, age)) / length);
    authors.set(author, Math.min(step, authors.get(author) ?? STEPS));
  };
  const { hashBelow, share } = await readUses(database, { from, to }, onUse, maxRows);
  const isSampled = (author: number) => (hashes[author] ?? hashBelow) < hashBelow;
  return rankHashtags(stepsOf, isSampled, share);
}
