import { parseIsoDate, parseTwitterDate } from './date';
import { given } from './given';
import { objectAt, stringAt, type JsonObject } from './json';
import { memberSource } from './json-member';
import type { LanguageOf } from '../../tweet/language';
import { locationOf } from './location';
import type { Person, TweetRecord, UserRecord } from './record';
import { optionalCount, optionalId, optionalText, optionalUsername } from './row';
import { tweetRecord } from './tweet';

/** The author's profile, if `tweet` has one, and the tweet itself. `source` is the text that `tweet` was parsed from. */
export function recordsOfTweetObject(
  tweet: JsonObject,
  source: string,
  languageOf: LanguageOf,
): (UserRecord | TweetRecord)[] {
  const user = objectAt(tweet, 'user');
  const author: Person = given({
    userId: optionalId(
      'user id',
      exactAt(user, 'id', () => memberSource(source, 'user')),
    ),
    username: optionalUsername(stringAt(user, 'screen_name')),
  });
  const record = tweetRecord(
    {
      tweetId: exactAt(tweet, 'id', () => source),
      author,
      text: textOf(tweet),
      createdAt: dateAt(tweet, 'created_at') ?? timestampOf(tweet),
      language: stringAt(tweet, 'lang'),
      location: locationOfTweet(tweet),
      ...linksOf(tweet, source),
      likeCount: countAt(tweet, 'favorite_count'),
      shareCount: countAt(tweet, 'retweet_count'),
      replyCount: countAt(tweet, 'reply_count'),
      raw: source,
    },
    languageOf,
  );
  const profile = profileOf(user, author);
  return profile === undefined ? [record] : [profile, record];
}

function profileOf(user: JsonObject | undefined, author: Person): UserRecord | undefined {
  if (author.username === undefined) return undefined;
  return {
    kind: 'user',
    ...author,
    name: optionalText(stringAt(user, 'name')) ?? author.username,
    onTwitter: true,
    ...given({
      description: optionalText(stringAt(user, 'description')),
      createdAt: dateAt(user, 'created_at') ?? undefined,
    }),
  };
}

/** A share repeats the reply and quote links of its original, which are not its own and are ignored. */
function linksOf(tweet: JsonObject, source: string): Links {
  const shared = objectAt(tweet, 'retweeted_status');
  if (shared !== undefined) {
    const id = exactAt(shared, 'id', () => memberSource(source, 'retweeted_status'));
    return { sharedTweetId: optionalId('retweeted_status.id', id) };
  }
  return {
    inReplyToId: linkAt(tweet, source, 'in_reply_to_status_id'),
    quotedTweetId: linkAt(tweet, source, 'quoted_status_id'),
  };
}

interface Links {
  readonly inReplyToId?: string | undefined;
  readonly sharedTweetId?: string | undefined;
  readonly quotedTweetId?: string | undefined;
}

function linkAt(tweet: JsonObject, source: string, name: string): string | undefined {
  return optionalId(
    name,
    exactAt(tweet, name, () => source),
  );
}

function textOf(tweet: JsonObject): string | undefined {
  return (
    stringAt(objectAt(tweet, 'extended_tweet'), 'full_text') ??
    stringAt(tweet, 'full_text') ??
    stringAt(tweet, 'text')
  );
}

function locationOfTweet(tweet: JsonObject): TweetRecord['location'] {
  const country = stringAt(objectAt(tweet, 'place'), 'country');
  const point = objectAt(tweet, 'coordinates');
  if (point !== undefined) {
    const [longitude, latitude] = listAt(point, 'coordinates');
    return locationOf(latitude, longitude, country);
  }
  // The older member `geo` has the latitude first.
  const geo = objectAt(tweet, 'geo');
  if (geo === undefined) return undefined;
  const [latitude, longitude] = listAt(geo, 'coordinates');
  return locationOf(latitude, longitude, country);
}

function listAt(object: JsonObject, name: string): readonly unknown[] {
  const value = object[name];
  return Array.isArray(value) ? value : [];
}

function dateAt(object: JsonObject | undefined, name: string): Date | null {
  const text = stringAt(object, name) ?? '';
  return parseTwitterDate(text) ?? parseIsoDate(text);
}

function timestampOf(tweet: JsonObject): Date | null {
  const milliseconds = stringAt(tweet, 'timestamp_ms') ?? '';
  return /^\d{1,14}$/.test(milliseconds) ? new Date(Number(milliseconds)) : null;
}

function countAt(tweet: JsonObject, name: string): number | undefined {
  return optionalCount(
    name,
    exactAt(tweet, name, () => undefined),
  );
}

/**
 * The digits at `<name>_str`, else at `name`, as text, because a float has only 53 bits. A number of more bits is read
 * again from the object's source.
 */
function exactAt(
  object: JsonObject | undefined,
  name: string,
  source: () => string | undefined,
): string | undefined {
  const text = stringAt(object, `${name}_str`) ?? stringAt(object, name);
  const number = object?.[name];
  if (text !== undefined || typeof number !== 'number') return text;
  if (Number.isSafeInteger(number)) return String(number);
  const exact = source();
  return exact === undefined ? String(number) : memberSource(exact, name);
}
