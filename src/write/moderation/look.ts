import { moderationActs } from '../../features/moderation/moderation.table';
import { readSuspended } from '../../features/moderation/suspensions';
import { tweetsByAuthor } from '../../features/tweet/tweet.lists';
import { tweets } from '../../features/tweet/tweet.table';
import { users } from '../../features/user/user.table';
import type { Database } from '../../kit/cassandra/database';
import { monthOf } from '../../kit/lists/buckets';
import { listPages } from '../../kit/lists/list-pages';
import { createLoad } from '../../kit/reads/load';

/** How many of a user's tweets a moderator is shown. */
const TWEETS_SHOWN = 20;

/** A user who is suspended, and since when, by whom and why, as the audit log has it. */
interface SuspendedUser {
  readonly userId: string;
  readonly username: string | null;
  readonly since: Date;
  readonly actor: string | null;
  readonly reason: string | null;
}

/** The users who are suspended now, in the order in which they were. */
export async function* listSuspended(database: Database): AsyncGenerator<SuspendedUser> {
  const load = createLoad(database);
  for (const [userId, since] of await readSuspended(database)) {
    const user = await load(users.get, { userId });
    const act = await load(moderationActs.get, { month: monthOf(since), actedAt: since, target: userId });
    const { actor = null, reason = null } = act ?? {};
    yield { userId, username: user?.username ?? null, since, actor, reason };
  }
}

/**
 * Yields what somebody has made, even if it is hidden from all callers: the tweet with an id, and the user with it, with the newest 20
 * tweets.
 */
export async function* lookAt(database: Database, id: string): AsyncGenerator<object> {
  const load = createLoad(database);
  const tweet = await load(tweets.get, { tweetId: id });
  if (tweet !== null) yield { tweet };
  const user = await load(users.get, { userId: id });
  if (user === null) return;
  yield { user, suspendedSince: (await readSuspended(database)).get(id) ?? null };
  for await (const page of listPages(database, (one) => tweetsByAuthor.list(one, id), TWEETS_SHOWN)) {
    for (const posted of page) yield { tweet: posted };
    return;
  }
}
