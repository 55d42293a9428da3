import { decodeEntities } from './entities';
import { withoutUndefined } from './given';
import { listAt, objectAt, parseObject, shownAt, stringAt, valueAt, isObject, type JsonObject } from './json';
import { elementsIn } from './json-elements';
import { exactAt, memberSource } from './json-member';
import { optionalLink } from './link';
import { optionalLocation } from './location';
import type { Person, TweetRecord, UserRecord } from './record';
import {
  optionalCount,
  optionalId,
  optionalText,
  optionalTime,
  optionalUsername,
  requiredId,
  RowError,
} from './row';
import { tweetRecord } from './tweet';
import type { TweetReading } from './twitter-object';

/** Whether an object is a tweet of Twitter's API v2, which names its author by `author_id` and its time as ISO 8601 does. */
export function isV2Tweet(object: JsonObject): boolean {
  if (objectAt(object, 'user') !== undefined || 'id_str' in object) return false;
  return ['author_id', 'edit_history_tweet_ids', 'public_metrics', 'referenced_tweets'].some(
    (name) => name in object,
  );
}

/** Whether an object is a user of API v2. Other tools give tweets a `username`, too. */
export function isV2User(object: JsonObject): boolean {
  const others = ['text', 'full_text', 'tweet', 'content', 'user_id', 'user'];
  return ['id', 'username', 'name'].every((name) => name in object) && !others.some((name) => name in object);
}

/** The tweet of an object of API v2, after the author's profile if a tool such as twarc has put it into the object. */
export function recordsOfV2Tweet(
  tweet: JsonObject,
  source: string,
  { languageOf, drop, isCopy }: TweetReading,
): (UserRecord | TweetRecord)[] {
  const user = objectAt(tweet, 'author');
  const authorSource = () => memberSource(source, 'author');
  const author: Person = withoutUndefined({
    userId: optionalId(
      'author_id',
      exactAt(tweet, 'author_id', () => source) ?? exactAt(user, 'id', authorSource),
    ),
    username: optionalUsername(stringAt(user, 'username')),
  });
  const metrics = objectAt(tweet, 'public_metrics');
  const countAt = (name: string) => optionalCount(name, valueAt(metrics, name), drop);
  // The text of a long tweet is cut; its note has all of it.
  const whole = shownAt(objectAt(tweet, 'note_tweet'), 'text');
  const place = objectAt(tweet, 'geo');
  const [longitude, latitude] = listAt(objectAt(place, 'coordinates'), 'coordinates') ?? [];
  const record = tweetRecord(
    {
      tweetId: exactAt(tweet, 'id', () => source),
      author,
      text: whole ?? stringAt(tweet, 'text'),
      createdAt: optionalTime('created_at', valueAt(tweet, 'created_at')),
      language: valueAt(tweet, 'lang'),
      location: optionalLocation(latitude, longitude, stringAt(place, 'country'), (column) => {
        drop(column === 'country' ? column : 'geo');
      }),
      inReplyToId: readLink(tweet, 'replied_to', source, drop),
      sharedTweetId: readLink(tweet, 'retweeted', source, drop),
      quotedTweetId: readLink(tweet, 'quoted', source, drop),
      likeCount: countAt('like_count'),
      shareCount: countAt('retweet_count'),
      replyCount: countAt('reply_count'),
      quoteCount: countAt('quote_count'),
      isCopy,
      raw: source,
    },
    languageOf,
    drop,
  );
  return user === undefined || author.username === undefined
    ? [record]
    : [userOfV2(user, authorSource), record];
}

/** The profile of a user of API v2. `source` gives the text that `user` was parsed from. */
export function userOfV2(user: JsonObject, source: () => string | undefined): UserRecord {
  const userId = requiredId('user id', exactAt(user, 'id', source));
  const username = optionalUsername(stringAt(user, 'username'));
  if (username === undefined) throw new RowError('no username');
  const description = optionalText(stringAt(user, 'description'));
  return {
    kind: 'user',
    userId,
    username,
    name: decodeEntities(optionalText(stringAt(user, 'name')) ?? username),
    onTwitter: true,
    ...withoutUndefined({
      description: description === undefined ? undefined : decodeEntities(description),
      createdAt: optionalTime('user.created_at', valueAt(user, 'created_at')),
    }),
  };
}

function readLink(
  tweet: JsonObject,
  type: string,
  source: string,
  drop: TweetReading['drop'],
): string | undefined {
  const isMeant = (one: unknown) => isObject(one) && one['type'] === type;
  const found = listAt(tweet, 'referenced_tweets')?.find(isMeant);
  if (!isObject(found)) return undefined;
  const sourceOfFound = () =>
    elementsIn(Buffer.from(memberSource(source, 'referenced_tweets') ?? '[]')).find(({ text }) =>
      isMeant(parseObject(text)),
    )?.text;
  return optionalLink(`referenced_tweets.${type}`, exactAt(found, 'id', sourceOfFound), drop);
}
