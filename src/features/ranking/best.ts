import type { Database } from '../../kit/cassandra/database';
import { readMany } from '../../kit/reads/load';
import { users } from '../user/user.table';
import { MAX_RANKED } from './ranking.table';

/** A user with a score, who may get into a ranking. */
export interface Scored {
  readonly userId: string;
  readonly score: number;
}

/** A user in a ranking. */
export interface RankedUser extends Scored {
  readonly username: string;
}

/**
 * Merges a ranking with further users and keeps the best `MAX_RANKED`: by score descending, then by username as it is shown, ascending.
 * Users who do not exist are left out.
 */
export async function bestOf(
  database: Database,
  before: readonly RankedUser[],
  others: readonly Scored[],
): Promise<readonly RankedUser[]> {
  const known = new Set(before.map(({ userId }) => userId));
  const minScore = Math.max(1, before[MAX_RANKED - 1]?.score ?? 1);
  const candidates = others.filter(({ userId, score }) => score >= minScore && !known.has(userId));
  const found = await readMany(database, users.get, candidates);
  const ranked = candidates.flatMap(({ userId, score }, index) => {
    const user = found[index];
    return user ? [{ userId, score, username: user.username }] : [];
  });
  return [...before, ...ranked]
    .sort((a, b) => b.score - a.score || (a.username < b.username ? -1 : 1))
    .slice(0, MAX_RANKED);
}
