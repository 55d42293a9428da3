import type { Database } from '../../kit/cassandra/database';
import { isConflict } from '../../kit/base/errors';
import { readMany } from '../../kit/reads/load';
import { claimName, releaseName, twitterAccounts, usernames } from '../../write/user/names';
import { usersByTwitterAccount, usersByUsername } from '../../features/user/user.table';
import type { UserRecord } from '../records/record';

/** How many names are claimed at a time. */
const CLAIMED_AT_ONCE = 64;

/** A user whom an import creates or gives a profile. */
export interface ImportedUser {
  readonly userId: string;
  readonly username: string;
  readonly profile: UserRecord | null;
  /** The former username; undefined if the user is new. */
  readonly before: string | undefined;
  /** The user whose id was derived from the name, and from whom the name is taken over. */
  readonly from: string | undefined;
}

/** The Twitter account that a profile gives a user. */
export function twitterAccountOf({
  username,
  profile,
}: Pick<ImportedUser, 'username' | 'profile'>): string | null {
  return profile?.twitterAccount ?? (profile?.onTwitter ? username : null);
}

/** Users who did not get their usernames, and others who got these but not their Twitter accounts: other users have them. */
interface Lost {
  readonly usernames: ReadonlySet<ImportedUser>;
  readonly accounts: ReadonlySet<ImportedUser>;
}

/** The same user without a Twitter account. */
export function withoutAccount(user: ImportedUser): ImportedUser {
  if (user.profile === null) return user;
  const { twitterAccount: _, ...profile } = user.profile;
  return { ...user, profile: { ...profile, onTwitter: false } };
}

/**
 * Claims the usernames of users, and the Twitter accounts of those with a profile, unless they have them already. A
 * claim is needed because users who sign up meanwhile claim names, too. Resolves to the users who did not get one of these.
 */
export async function claimNames(database: Database, users: readonly ImportedUser[]): Promise<Lost> {
  const folded = users.map(({ username }) => username.toLowerCase());
  const [named, onTwitter] = await Promise.all([
    readMany(
      database,
      usersByUsername.get,
      folded.map((usernameFolded) => ({ usernameFolded })),
    ),
    readMany(
      database,
      usersByTwitterAccount.get,
      users.map((user) => ({ accountFolded: (twitterAccountOf(user) ?? user.username).toLowerCase() })),
    ),
  ]);
  const lost = { usernames: new Set<ImportedUser>(), accounts: new Set<ImportedUser>() };
  /** Resolves to whether the claim succeeds. */
  const hasClaimed = (...claim: Parameters<typeof claimName>) =>
    claimName(...claim).then(
      () => true,
      (error: unknown) => {
        if (!isConflict(error)) throw error;
        return false;
      },
    );
  const claim = async (user: ImportedUser, index: number) => {
    const { userId, username, from } = user;
    const account = twitterAccountOf(user);
    const hasAccount =
      account !== null &&
      (onTwitter[index]?.userId === userId || (await hasClaimed(database, twitterAccounts, account, userId)));
    const hasName =
      username === userId ||
      named[index]?.userId === userId ||
      (await hasClaimed(database, usernames, username, userId, from));
    if (!hasName) {
      lost.usernames.add(user);
      if (hasAccount) await releaseName(database, twitterAccounts, account, userId);
    } else if (account !== null && !hasAccount) {
      lost.accounts.add(user);
    }
  };
  for (let n = 0; n < users.length; n += CLAIMED_AT_ONCE)
    await Promise.all(users.slice(n, n + CLAIMED_AT_ONCE).map((user, index) => claim(user, n + index)));
  return lost;
}
