import type { Database } from '../kit/cassandra/database';
import { readMany } from '../kit/data/load';
import { users } from '../user/user.table';

/** How many places a ranking has. */
export const MAX_RANKED = 100;

/** A user who may come into a ranking. */
export interface Scored {
  readonly userId: string;
  readonly score: number;
}

/** A user in a ranking. */
export interface Placed extends Scored {
  readonly username: string;
}

/** The best of those found before and of some others: by score descending, then by username as it is shown, ascending. */
export async function bestOf(
  database: Database,
  before: readonly Placed[],
  others: readonly Scored[],
): Promise<readonly Placed[]> {
  const known = new Set(before.map(({ userId }) => userId));
  const least = Math.max(1, before[MAX_RANKED - 1]?.score ?? 1);
  const rivals = others.filter(({ userId, score }) => score >= least && !known.has(userId));
  const found = await readMany(database, users.get, rivals);
  const placed = rivals.flatMap(({ userId, score }, place) => {
    const user = found[place];
    return user ? [{ userId, score, username: user.username }] : [];
  });
  return [...before, ...placed]
    .sort((a, b) => b.score - a.score || (a.username < b.username ? -1 : 1))
    .slice(0, MAX_RANKED);
}
