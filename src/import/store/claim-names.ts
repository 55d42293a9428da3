import type { Database } from '../../kit/cassandra/database';
import { isConflict } from '../../kit/base/errors';
import { readMany } from '../../kit/data/load';
import { claimName, releaseName, twitterAccounts, usernames } from '../../write/user/names';
import { usersByTwitterAccount, usersByUsername } from '../../user/user.table';
import type { UserRecord } from '../records/record';

/** How many names are claimed at a time. */
const CLAIMED_AT_ONCE = 64;

/** A user that an import makes, or gives a profile. */
export interface Made {
  readonly userId: string;
  readonly username: string;
  readonly profile: UserRecord | null;
  /** What the user was called before. */
  readonly before: string | undefined;
  /** The user of an id derived from the name, who gives it up. */
  readonly from: string | undefined;
}

/**
 * Claims the names of users, and the accounts of those with a profile, that are not theirs yet: who signs up meanwhile
 * claims them likewise. Resolves to the users of whose names another has one, with which.
 */
export async function claimAll(
  database: Database,
  some: readonly Made[],
): Promise<ReadonlyMap<Made, 'username' | 'Twitter account'>> {
  const folded = some.map(({ username }) => username.toLowerCase());
  const [named, onTwitter] = await Promise.all([
    readMany(
      database,
      usersByUsername.get,
      folded.map((usernameFolded) => ({ usernameFolded })),
    ),
    readMany(
      database,
      usersByTwitterAccount.get,
      folded.map((accountFolded) => ({ accountFolded })),
    ),
  ]);
  const lost = new Map<Made, 'username' | 'Twitter account'>();
  const claim = async (user: Made, place: number) => {
    const { userId, username, profile, from } = user;
    let name: 'username' | 'Twitter account' = 'Twitter account';
    try {
      if (profile?.onTwitter && onTwitter[place]?.userId !== userId)
        await claimName(database, twitterAccounts, username, userId);
      name = 'username';
      if (username !== userId && named[place]?.userId !== userId)
        await claimName(database, usernames, username, userId, from);
    } catch (error) {
      if (!isConflict(error)) throw error;
      lost.set(user, name);
      if (name === 'username' && profile?.onTwitter)
        await releaseName(database, twitterAccounts, username, userId);
    }
  };
  for (let n = 0; n < some.length; n += CLAIMED_AT_ONCE)
    await Promise.all(some.slice(n, n + CLAIMED_AT_ONCE).map((user, place) => claim(user, n + place)));
  return lost;
}
