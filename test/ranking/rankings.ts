import { setTimeout as sleep } from 'node:timers/promises';
import { takeLease } from '../../src/kit/writes/lease';
import type { RankingRun } from '../../src/jobs/rankings/run';
import { RANKINGS, takeRankings } from '../../src/jobs/rankings/take-rankings';
import type { Harness } from '../support/harness';

/** A ranking as a server shows it. */
export interface Shown {
  readonly takenAt: string;
  readonly entries: readonly { rank: number; score: number; user: { username: string } }[];
}

/** The fields of a ranking that tests look at. */
export const RANKING = '{ takenAt entries { rank score user { username } } }';

/** Takes rankings in this process, when nobody else does; tells how far it was when it went on. */
export async function take({ database }: Harness): Promise<RankingRun & { readonly from: number }> {
  let lease = await takeLease(database, RANKINGS);
  for (; lease === null; lease = await takeLease(database, RANKINGS)) await sleep(100);
  let from: number | undefined;
  const onProgress = (done: number) => (from ??= done);
  try {
    const run = await takeRankings({ database, onProgress }, lease);
    return { ...run, from: from ?? 0 };
  } finally {
    await lease.release();
  }
}

/** Both rankings as a server shows them. */
export async function shownBy(
  server: Harness,
  at?: Date,
): Promise<[accounts: Shown | null, followers: Shown | null]> {
  const given = at ? `(at: "${at.toISOString()}")` : '';
  const { data, errors } = await server.query(
    `{ topAccounts${given} ${RANKING} topFollowers${given} ${RANKING} }`,
  );
  expect(errors).toEqual([]);
  const { topAccounts, topFollowers } = data as Record<'topAccounts' | 'topFollowers', Shown | null>;
  return [topAccounts, topFollowers];
}

/** The rankings of some follows, `[follower, followee]` by name, counted one by one. */
export function countedFrom(follows: Iterable<readonly [string, string]>): Shown['entries'][] {
  const all = [...follows];
  const best = (names: readonly string[]) => {
    const scores = new Map<string, number>();
    for (const name of names) scores.set(name, (scores.get(name) ?? 0) + 1);
    return [...scores]
      .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
      .slice(0, 100)
      .map(([username, score], place) => ({ rank: place + 1, score, user: { username } }));
  };
  const accounts = best(all.map(([, followee]) => followee));
  const names = new Set(accounts.map(({ user }) => user.username));
  return [accounts, best(all.flatMap(([follower, followee]) => (names.has(followee) ? follower : [])))];
}
