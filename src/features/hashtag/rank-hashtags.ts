import { setImmediate as nextTurn } from 'node:timers/promises';
import { countWhile } from '../../kit/base/binary-search';

/** A hashtag with the number of authors who used it. */
export interface CountedHashtag {
  /** The name as hashtags are compared. */
  readonly key: string;
  readonly count: number;
}

interface ScoredHashtag extends CountedHashtag {
  readonly score: number;
}

/** The most trends of a window that are kept and can be asked for. */
export const MAX_TRENDS = 100;

/** The most that GraphQL's `Int` can say. */
const MAX_COUNT = 2 ** 31 - 1;
/** After how many uses other work of the server gets its turn: some milliseconds. */
const USES_PER_TURN = 10_000;

/**
 * Finds the hashtags with the highest scores, by score, then by name. `stepsOf` has the step of the latest use of each hashtag by each author;
 * only the authors of the sample count, which are `share` of all. It keeps the best alone, because there may be hundreds of thousands.
 */
export async function rankHashtags(
  stepsOf: ReadonlyMap<string, ReadonlyMap<number, number>>,
  isSampled: (author: number) => boolean,
  share: number,
): Promise<readonly CountedHashtag[]> {
  const best: ScoredHashtag[] = [];
  let uses = 0;
  for (const [key, authors] of stepsOf) {
    let [count, score] = [0, 0];
    for (const [author, step] of authors) {
      if (!isSampled(author)) continue;
      count += 1;
      score += 2 ** -step;
    }
    const found = { key, count: Math.min(Math.round(count / share), MAX_COUNT), score: score / share };
    if (count > 0) keep(best, found);
    uses += authors.size;
    if (uses < USES_PER_TURN) continue;
    uses = 0;
    await nextTurn();
  }
  return best;
}

/** Puts a hashtag in its place among the best, unless it is none of them. */
function keep(best: ScoredHashtag[], found: ScoredHashtag): void {
  const last = best.at(-1);
  if (best.length === MAX_TRENDS && last !== undefined && isBetter(last, found)) return;
  const place = countWhile(best, (other) => isBetter(other, found));
  best.splice(place, 0, found);
  best.length = Math.min(best.length, MAX_TRENDS);
}

function isBetter(a: ScoredHashtag, b: ScoredHashtag): boolean {
  return a.score > b.score || (a.score === b.score && a.key < b.key);
}
