import { createGrowingCache } from '../base/growing-cache';
import { rateLimited } from '../base/errors';
import { runShared } from '../base/shared-runs';
import { idOf, int, label } from '../cassandra/column';
import type { Database } from '../cassandra/database';
import { decideUntilWritten } from '../cassandra/decide';
import { table } from '../cassandra/table';

/** How much of a quota the servers have claimed for a user in a period, which is a number of such periods since 1970. */
export const quotaUses = table(
  'quota_uses',
  { userId: idOf('User'), quota: label, period: int, used: int },
  {
    role: { kind: 'transient', why: 'it says how much users have done in an hour or day' },
    writeLoad: {
      rows: { quotaClaim: 1 },
      transactions: { quotaClaim: 1 },
      bytes: 40,
      spread: { over: 'people' },
      keptSeconds: 2 * 86_400,
    },
    partition: ['userId', 'quota', 'period'],
  },
);

const read = 'SELECT used FROM quota_uses WHERE user_id = ? AND quota = ? AND period = ?';
const claim =
  'UPDATE quota_uses USING TTL ? SET used = ? WHERE user_id = ? AND quota = ? AND period = ? IF used = ?';

/** The most that one user may do in a period, on all servers together. */
interface Quota {
  /** The most in a period; 0 turns the quota off. */
  readonly limit: number;
  /** The length of a period in seconds. Periods follow each other without a gap since 1970. */
  readonly seconds: number;
  /** The name of the setting, for messages. */
  readonly setting: string;
}

/** The quotas of users. They count the acts of all servers, and outlive restarts. */
export interface Quotas<Name extends string> {
  /**
   * Makes a change that takes so much of each quota, and resolves to its result. If the change fails, or `hasChanged` says that it
   * changed nothing, nothing is taken. Throws `RATE_LIMITED` if a quota has too little left, unless `isFree` then says that the change
   * is made already, and so is free (also if another change at the same moment undoes it), and `UNAVAILABLE` if the database cannot tell.
   */
  spend<T>(
    this: void,
    userId: string,
    amounts: Readonly<Partial<Record<Name, number>>>,
    change: () => Promise<T>,
    hasChanged?: (result: T) => boolean,
    isFree?: () => Promise<boolean>,
  ): Promise<T>;
  /** How many changes each quota has refused on this server. */
  refusals(this: void): ReadonlyMap<string, number>;
}

/** This part of a quota a server gives to each user without asking the others, so that ordinary people cost no reads. */
const UNCLAIMED_PART = 1 / 100;
/** The part of a quota that a server claims at a time, ahead of its use. The unused rest is lost for the period when the server ends. */
const CLAIMED_PART = 1 / 20;
/**
 * The number of users and quotas that a server knows. A forgotten one begins anew: the unused rest of a claim, at most a twentieth of the
 * quota, is lost for the period, and the hundredth is given again. Both need 50,000 others to have come meanwhile.
 */
const MAX_KNOWN = 50_000;

/** The use of a quota by a user in a period, on this server. */
interface Use {
  /** How much was used here. */
  used: number;
  /** How much of it, and of what is to come, is claimed in the database. */
  claimed: number;
}

/**
 * Creates the quotas of users, as one of the servers sees them. A server lets each user do a hundredth of a quota in a period by itself.
 * After that it claims what was done, and a twentieth of the quota ahead, in `quota_uses`.
 */
export function createQuotas<Name extends string>(
  database: Database,
  quotas: Readonly<Record<Name, Quota>>,
): Quotas<Name> {
  const known = createGrowingCache<Use>(MAX_KNOWN);
  const refusals = new Map(Object.keys(quotas).map((name) => [name, 0]));
  const take = async (name: Name, userId: string, amount: number, isFree: () => Promise<boolean>) => {
    const quota: Quota = quotas[name];
    const { limit, seconds } = quota;
    if (limit === 0 || amount === 0) return () => undefined;
    const period = Math.floor(Date.now() / 1000 / seconds);
    const key = `${name} ${userId} ${period}`;
    const use = known.get(key) ?? { used: 0, claimed: 0 };
    known.set(key, use);
    const isGiven = () => use.used + amount <= Math.max(use.claimed, limit * UNCLAIMED_PART);
    if (!isGiven())
      await runShared(use, key, amount, (amounts) => {
        const needed = amounts.reduce((sum, one) => sum + one, use.used);
        return claimMore(database, quota, [userId, name, period], use, needed);
      });
    if (!isGiven()) {
      if (await isFree()) return () => undefined;
      refusals.set(name, (refusals.get(name) ?? 0) + 1);
      const left = Math.max(0, use.claimed - use.used);
      throw refuse(name, quota, amount, left, (period + 1) * seconds - Date.now() / 1000);
    }
    use.used += amount;
    return () => void (use.used -= amount);
  };
  return {
    async spend(userId, amounts, change, hasChanged = () => true, isFree = () => Promise.resolve(false)) {
      const taken: (() => void)[] = [];
      let isSpent = false;
      try {
        for (const name in amounts) taken.push(await take(name, userId, amounts[name] ?? 0, isFree));
        const result = await change();
        isSpent = hasChanged(result);
        return result;
      } finally {
        if (!isSpent) for (const giveBack of taken) giveBack();
      }
    },
    refusals: () => refusals,
  };
}

/**
 * Claims what was used and is needed, and some more, as far as the quota goes. If the outcome of a transaction is unknown, its claim
 * may be made twice: the quota is then a little smaller.
 */
function claimMore(
  database: Database,
  { limit, seconds }: Quota,
  key: readonly unknown[],
  use: Use,
  needed: number,
): Promise<void> {
  const wanted = needed + Math.floor(limit * CLAIMED_PART) - use.claimed;
  return decideUntilWritten(database, { cql: read, params: key }, (rows) => {
    const [row] = rows as readonly { used: number }[];
    const before = row?.used ?? null;
    const granted = Math.min(wanted, limit - (before ?? 0));
    if (granted <= 0) return { writes: [], result: 0 };
    const params = [2 * seconds, (before ?? 0) + granted, ...key, before];
    return { writes: [{ query: claim, params }], result: granted };
  }).then((granted) => void (use.claimed += granted));
}

function refuse(
  name: string,
  { limit, seconds, setting }: Quota,
  amount: number,
  left: number,
  secondsLeft: number,
) {
  const retryAfter = Math.max(1, Math.ceil(secondsLeft));
  const period = seconds === 3600 ? 'an hour' : seconds === 86_400 ? 'a day' : `${seconds} s`;
  return rateLimited(
    `A user has ${limit} ${name} in ${period} (${setting}), of which ${left} are left, but this needs ${amount}. Try again in ${retryAfter} s.`,
    retryAfter,
  );
}
