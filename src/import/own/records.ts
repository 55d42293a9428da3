import { tweets } from '../../features/tweet/tweet.table';
import { users } from '../../features/user/user.table';
import type { Database } from '../../kit/cassandra/database';
import { isBlank } from '../../kit/input/input-text';
import { readMany } from '../../kit/reads/load';
import { findHashtags, findMentions } from '../../write/tweet/text';
import { withoutUndefined } from '../records/given';
import type { Line } from '../records/lines';
import type { FollowRecord, TweetRecord } from '../records/record';
import { RowError } from '../records/row';
import { isTooLong } from '../records/tweet';
import { parseLine, type FileName, type LineOf } from './lines';

/** The user whose export it is. */
export interface Owner {
  readonly userId: string;
  readonly username: string;
}

type Make = (source: string) => readonly (TweetRecord | FollowRecord)[];

/**
 * Reads the users and tweets that the lines of a batch name, and creates the function that makes the records of a line: none if they are
 * here already. The function throws a `RowError` for a line that cannot be taken.
 */
export async function recordsOf(
  database: Database,
  owner: Owner,
  name: 'tweets' | 'following',
  batch: readonly Line[],
): Promise<Make> {
  if (name === 'tweets') {
    const tweetIds = idsIn(batch, name, ({ tweetId }) => tweetId);
    const found = await readMany(
      database,
      tweets.get,
      tweetIds.map((tweetId) => ({ tweetId })),
    );
    // A tweet does not change, so a tweet that is here stays as it is, also one that was posted here.
    const here = new Set(found.flatMap((tweet) => (tweet?.authorId === owner.userId ? tweet.tweetId : [])));
    return (source) => {
      const tweet = parseLine('tweets', source);
      return here.has(tweet.tweetId) ? [] : [tweetRecord(owner, tweet, source)];
    };
  }
  const named = await usernamesOf(
    database,
    idsIn(batch, name, ({ userId }) => userId),
  );
  return (source) => {
    const { followedAt, ...person } = parseLine('following', source);
    const reason = whyNotHere(named, person);
    if (reason !== null) throw new RowError(reason);
    if (person.userId === owner.userId) throw new RowError('nobody follows oneself');
    return [
      { kind: 'follow', follower: { userId: owner.userId }, followee: { userId: person.userId }, followedAt },
    ];
  };
}

/** The ids that lines name; a line that cannot be read names none. */
export function idsIn<N extends FileName>(
  batch: readonly Line[],
  name: N,
  idOf: (line: LineOf<N>) => string,
): string[] {
  const ids = batch.flatMap(({ text, problem }) => {
    try {
      return problem === undefined ? idOf(parseLine(name, text)) : [];
    } catch {
      return [];
    }
  });
  return [...new Set(ids)];
}

/** The usernames of users who are here, by id. */
export async function usernamesOf(
  database: Database,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await readMany(
    database,
    users.get,
    userIds.map((userId) => ({ userId })),
  );
  return new Map(found.flatMap((user) => (user === null ? [] : [[user.userId, user.username]])));
}

/** Says why a line about a person cannot be taken; null if the person is here. Elsewhere, the same id may be somebody else's. */
export function whyNotHere(
  named: ReadonlyMap<string, string>,
  { userId, username }: { readonly userId: string; readonly username?: string | undefined },
): string | null {
  const here = named.get(userId);
  if (here === undefined) return `the user is not here: ${username ?? userId}`;
  if (username !== undefined && username.toLowerCase() !== here.toLowerCase())
    return `the user of this id is somebody else here: ${username} is ${here}`;
  return null;
}

function tweetRecord({ userId }: Owner, line: LineOf<'tweets'>, source: string): TweetRecord {
  const { tweetId, content, createdAt, language, location } = line;
  const { inReplyToId, sharedTweetId, quotedTweetId } = line;
  if (isTooLong(content)) throw new RowError('the text is longer than that of a tweet may be');
  if ([inReplyToId, sharedTweetId, quotedTweetId].includes(tweetId))
    throw new RowError('a tweet cannot be about itself');
  const { latitude = 0, longitude = 0, country } = location ?? {};
  const place = { latitude, longitude, ...(country != null && !isBlank(country) && { country }) };
  return {
    ...{ kind: 'tweet', tweetId, author: { userId }, content, createdAt, language },
    hashtags: findHashtags(content),
    mentions: findMentions(content),
    raw: line.raw ?? source,
    ...withoutUndefined({
      location: location === null ? undefined : place,
      inReplyToId: inReplyToId ?? undefined,
      sharedTweetId: sharedTweetId ?? undefined,
      quotedTweetId: quotedTweetId ?? undefined,
      likeCount: line.importedLikes ?? undefined,
      shareCount: line.importedShares ?? undefined,
      replyCount: line.importedReplies ?? undefined,
      quoteCount: line.importedQuotes ?? undefined,
    }),
  };
}
