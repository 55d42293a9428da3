import { notFound } from '../../kit/base/errors';
import { writeOf } from '../../kit/cassandra/write';
import type { Write } from '../../kit/cassandra/database';
import { monthOf } from '../../kit/lists/buckets';
import { createLoad } from '../../kit/reads/load';
import { written } from '../../kit/input/input-text';
import { MAX_REASON_BYTES, moderationActs, suspensions } from '../../features/moderation/moderation.table';
import { deletedTweets, tweets } from '../../features/tweet/tweet.table';
import { users } from '../../features/user/user.table';
import { ensureDeleted } from '../tweet/delete-tweet';
import type { WriteServices } from '../write-services';

/** The bounds of the reason of an act. */
export const REASON = written(500, MAX_REASON_BYTES);

/** The moderator who acts, and the reason. */
export interface Moderation {
  readonly actor: string;
  readonly reason: string;
}

/**
 * Suspends a user, or ends that. A suspended user writes nothing, and is hidden together with everything that it has made, and with shares
 * of that by others. Repeating it changes nothing but the audit log. Throws `NOT_FOUND` if there is no such user.
 */
export async function setSuspended(
  { database, suspensions: known }: WriteServices,
  userId: string,
  suspended: boolean,
  moderation: Moderation,
): Promise<void> {
  if ((await createLoad(database)(users.get, { userId })) === null)
    throw notFound(`There is no user with the id ${userId}.`);
  // Another server may have done it.
  await known.look();
  const at = known.timeOfChange(userId);
  const change = writeOf(suspensions, { shard: 0, changedAt: at, userId, suspended });
  const act = actWrite(suspended ? 'suspend' : 'unsuspend', userId, moderation, at);
  await database.batch(known.isSuspended(userId) === suspended ? [act] : [change, act], { logged: true });
  await known.look();
}

/** Deletes a tweet of anybody. Repeating it changes nothing but the audit log. Throws `NOT_FOUND` if there never was such a tweet. */
export async function removeTweet(
  writeServices: WriteServices,
  tweetId: string,
  moderation: Moderation,
): Promise<void> {
  const load = createLoad(writeServices.database);
  const stored = (await load(tweets.get, { tweetId })) ?? (await load(deletedTweets.get, { tweetId }));
  if (stored === null) throw notFound(`There is no tweet with the id ${tweetId}.`);
  const { query, params } = actWrite('remove', tweetId, moderation, new Date());
  // The log is written before the act: it must have every act, even if this server is killed meanwhile.
  await writeServices.database.write(query, params);
  await ensureDeleted(writeServices, tweetId);
}

function actWrite(act: string, target: string, moderation: Moderation, actedAt: Date): Write {
  return writeOf(moderationActs, { month: monthOf(actedAt), actedAt, target, act, ...moderation });
}
