import { snowflakeTime } from '../../kit/base/snowflake';
import { decodeEntities } from './entities';
import { withoutUndefined } from './given';
import { isBlank } from '../../kit/input/input-text';
import { cutIn } from '../../features/tweet/cut';
import { languageNamed, type DetectLanguage } from '../../features/tweet/language';
import type { Person, TweetRecord } from './record';
import { optionalValue, requiredId, RowError, type Drop } from './row';
import { findHashtags, findMentions } from '../../write/tweet/text';

const MAX_TEXT_CHARACTERS = 10_000;

/** A tweet as its source has it, its text still escaped; what the source does not say is undefined. */
interface TweetSource {
  readonly tweetId: string | undefined;
  readonly author: Person;
  readonly text: string | undefined;
  readonly createdAt: Date | undefined;
  readonly language: string | undefined;
  readonly location: TweetRecord['location'] | undefined;
  readonly inReplyToId?: string | undefined;
  readonly sharedTweetId?: string | undefined;
  readonly quotedTweetId?: string | undefined;
  readonly likeCount?: number | undefined;
  readonly shareCount?: number | undefined;
  readonly replyCount?: number | undefined;
  readonly quoteCount?: number | undefined;
  /** Whether the source says that the text is cut. A text that ends in `…` is cut anyway. */
  readonly isTruncated?: boolean;
  /** Whether this is the copy of a tweet that is embedded in the record of another one. */
  readonly isCopy?: boolean;
  readonly raw: string;
}

/**
 * Checks a tweet and makes a record of it: takes the time from the id if the source has none, and extracts language,
 * hashtags and mentions from the text. Throws a `RowError` if something required is missing or too long.
 */
export function tweetRecord(source: TweetSource, languageOf: DetectLanguage, drop: Drop): TweetRecord {
  const { author, raw, location } = source;
  const { likeCount, shareCount, replyCount, quoteCount } = source;
  const tweetId = requiredId('tweet id', source.tweetId);
  if (author.userId === undefined && author.username === undefined) throw new RowError('no author');
  if (source.text === undefined || isBlank(source.text)) throw new RowError('no text');
  const text = decodeEntities(source.text);
  // A client that walks from replies to originals would never end.
  const toOther = (column: string, id: string | undefined) => {
    if (id !== tweetId) return id;
    drop(column);
    return undefined;
  };
  const inReplyToId = toOther('inReplyTo', source.inReplyToId);
  const sharedTweetId = toOther('sharedTweet', source.sharedTweetId);
  const quotedTweetId = toOther('quotedTweet', source.quotedTweetId);
  if (isTooLong(text)) throw new RowError(`the text must be at most ${MAX_TEXT_CHARACTERS} characters`);
  const completeness =
    source.isTruncated === true || cutIn(text) !== null ? 'cut' : source.isCopy === true ? 'copy' : undefined;

  return {
    kind: 'tweet',
    tweetId,
    author,
    content: text,
    createdAt: source.createdAt ?? timeOfTweetId(tweetId),
    language: languageIn(source.language, text, languageOf, drop),
    hashtags: findHashtags(text),
    mentions: findMentions(text),
    raw,
    ...withoutUndefined({
      location,
      inReplyToId,
      sharedTweetId,
      quotedTweetId,
      likeCount,
      shareCount,
      replyCount,
      quoteCount,
    }),
    ...(completeness !== undefined && { completeness }),
  };
}

/**
 * The ids of Mastodon, which are milliseconds since 1970 and 16 bits, from its first release to years from now. Twitter's ids of the
 * months of July to October 2011 are as large.
 */
const [MASTODON_FROM, MASTODON_TO] = [Date.UTC(2016, 9, 1), Date.UTC(2031, 0, 1)].map(
  (time) => BigInt(time) << 16n,
) as [bigint, bigint];

/** When a tweet was created by its id. Throws a `RowError` if the id does not say. */
function timeOfTweetId(tweetId: string): Date {
  const isAmbiguous = BigInt(tweetId) >= MASTODON_FROM && BigInt(tweetId) < MASTODON_TO;
  if (isAmbiguous)
    throw new RowError(`no time, and the id may be one of Mastodon, not of Twitter: ${tweetId}`);
  const time = snowflakeTime(tweetId);
  if (time === null) throw new RowError('no time, and the id contains none');
  return time;
}

/** The language that a source gives, `und` if that is none that is registered; detected if the source gives none. */
function languageIn(given: string | undefined, text: string, languageOf: DetectLanguage, drop: Drop): string {
  const tag = optionalValue(given);
  if (tag === undefined) return languageOf(text);
  const language = languageNamed(tag);
  if (language === undefined) drop('language');
  return language ?? 'und';
}

/** Whether a text is longer than a tweet may be. The limit is in code points, which are counted only if there are more UTF-16 units than that. */
export function isTooLong(text: string): boolean {
  if (text.length <= MAX_TEXT_CHARACTERS) return false;
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0) > MAX_TEXT_CHARACTERS;
}
