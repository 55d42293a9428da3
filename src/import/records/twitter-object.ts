import { isDeepStrictEqual } from 'node:util';
import { shownAt, stringAt, valueAt, type JsonObject, listAt, objectAt } from './json';
import { exactAt, memberSource } from './json-member';
import { decodeEntities } from './entities';
import { withoutUndefined } from './given';
import { optionalLink } from './link';
import { optionalLocation } from './location';
import type { DetectLanguage } from '../../features/tweet/language';
import type { Person, TweetRecord, UserRecord } from './record';
import { optionalCount, optionalId, optionalText, optionalTime, optionalUsername, type Drop } from './row';
import { tweetRecord } from './tweet';

/** The options of reading the object of a tweet. */
export interface TweetReading {
  readonly languageOf: DetectLanguage;
  readonly drop: Drop;
  /** The author of a tweet that names none, as in an archive. */
  readonly owner?: Person | undefined;
  /** Whether another tweet's record embeds this one. */
  readonly isCopy: boolean;
}

/** The author's profile, if `tweet` has one, and the tweet itself. `source` is the text that `tweet` was parsed from. */
export function recordsOfTweetObject(
  tweet: JsonObject,
  source: string,
  { languageOf, drop, owner, isCopy }: TweetReading,
): (UserRecord | TweetRecord)[] {
  const user = objectAt(tweet, 'user');
  const author: Person = withoutUndefined({
    userId: optionalId(
      'user id',
      exactAt(user, 'id', () => memberSource(source, 'user')),
    ),
    username: optionalUsername(valueAt(user, 'screen_name')),
  });
  const countAt = (name: string) => optionalCount(name, valueAt(tweet, name), drop);
  const whole = shownAt(objectAt(tweet, 'extended_tweet'), 'full_text') ?? shownAt(tweet, 'full_text');
  const record = tweetRecord(
    {
      tweetId: exactAt(tweet, 'id', () => source),
      author: user === undefined && owner !== undefined ? owner : author,
      text: whole ?? stringAt(tweet, 'text'),
      createdAt: readTime(tweet),
      language: valueAt(tweet, 'lang'),
      location: locationOfTweet(tweet, drop),
      ...readLinks(tweet, source, drop),
      likeCount: countAt('favorite_count'),
      shareCount: countAt('retweet_count'),
      replyCount: countAt('reply_count'),
      quoteCount: countAt('quote_count'),
      isTruncated: whole === undefined && tweet['truncated'] === true,
      isCopy,
      raw: source,
    },
    languageOf,
    drop,
  );
  const profile = readProfile(user, author);
  return profile === undefined ? [record] : [profile, record];
}

function readProfile(user: JsonObject | undefined, author: Person): UserRecord | undefined {
  if (author.username === undefined) return undefined;
  const description = optionalText(stringAt(user, 'description'));
  return {
    kind: 'user',
    ...author,
    name: decodeEntities(optionalText(stringAt(user, 'name')) ?? author.username),
    onTwitter: true,
    ...withoutUndefined({
      description: description === undefined ? undefined : decodeEntities(description),
      createdAt: optionalTime('user.created_at', valueAt(user, 'created_at')),
    }),
  };
}

/** A share repeats the reply and quote links of its original, which are not its own and are ignored. */
function readLinks(tweet: JsonObject, source: string, drop: Drop): Links {
  const shared = objectAt(tweet, 'retweeted_status');
  if (shared !== undefined) {
    const id = exactAt(shared, 'id', () => memberSource(source, 'retweeted_status'));
    return { sharedTweetId: optionalLink('retweeted_status.id', id, drop) };
  }
  const linkAt = (name: string) =>
    optionalLink(
      name,
      exactAt(tweet, name, () => source),
      drop,
    );
  return {
    inReplyToId: linkAt('in_reply_to_status_id'),
    sharedTweetId: linkAt('retweeted_status_id'),
    quotedTweetId: linkAt('quoted_status_id'),
  };
}

interface Links {
  readonly inReplyToId?: string | undefined;
  readonly sharedTweetId?: string | undefined;
  readonly quotedTweetId?: string | undefined;
}

/** Streams give the milliseconds as well, of which the time is without them if there is one. */
function readTime(tweet: JsonObject): Date | undefined {
  return (
    optionalTime('created_at', valueAt(tweet, 'created_at')) ??
    optionalTime('timestamp_ms', valueAt(tweet, 'timestamp_ms'))
  );
}

/** The point of a tweet: `coordinates` has the longitude first, the older member `geo` the latitude. */
function locationOfTweet(tweet: JsonObject, drop: Drop): TweetRecord['location'] {
  const country = stringAt(objectAt(tweet, 'place'), 'country');
  let unread: string | undefined;
  for (const name of ['coordinates', 'geo'] as const) {
    const pair = pairAt(tweet, name);
    if (pair === undefined) continue;
    const [latitude, longitude] = name === 'geo' ? pair : [pair[1], pair[0]];
    const location = optionalLocation(latitude, longitude, country, (column) => {
      if (column === 'country') drop(column);
      else unread ??= name;
    });
    if (location !== undefined) return location;
  }
  if (unread !== undefined) drop(unread);
  return undefined;
}

/** The two numbers at `name`, in a point or alone; undefined if there is nothing, something unreadable if they are no pair. */
function pairAt(tweet: JsonObject, name: string): readonly unknown[] | undefined {
  const value = tweet[name];
  if (value === undefined || value === null) return undefined;
  // Old archives have an empty object where there is none.
  if (name === 'geo' && isDeepStrictEqual(value, {})) return undefined;
  return listAt(tweet, name) ?? listAt(objectAt(tweet, name), 'coordinates') ?? [value, value];
}
