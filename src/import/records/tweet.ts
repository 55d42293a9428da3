import { snowflakeTime } from '../../kit/base/snowflake';
import { given } from './given';
import { languageNamed, type LanguageOf } from '../../tweet/language';
import type { Person, TweetRecord } from './record';
import { optionalText, requiredId, RowError } from './row';
import { hashtagsOf, mentionsOf } from '../../write/tweet/text';

const MAX_TEXT_CHARACTERS = 10_000;

/** A tweet as its source has it; what the source does not say is undefined. */
interface TweetSource {
  readonly tweetId: string | undefined;
  readonly author: Person;
  readonly text: string | undefined;
  readonly createdAt: Date | null;
  readonly language: string | undefined;
  readonly location: TweetRecord['location'] | undefined;
  readonly inReplyToId?: string | undefined;
  readonly sharedTweetId?: string | undefined;
  readonly quotedTweetId?: string | undefined;
  readonly likeCount?: number | undefined;
  readonly shareCount?: number | undefined;
  readonly replyCount?: number | undefined;
  readonly raw: string;
}

/**
 * Checks a tweet and makes a record of it: takes the time from the id if the source has none, and extracts language,
 * hashtags and mentions from the text. Throws a `RowError` if something required is missing or too long.
 */
export function tweetRecord(source: TweetSource, languageOf: LanguageOf): TweetRecord {
  const { author, text, raw, location, inReplyToId, sharedTweetId, quotedTweetId } = source;
  const { likeCount, shareCount, replyCount } = source;
  const tweetId = requiredId('tweet id', source.tweetId);
  if (author.userId === undefined && author.username === undefined) throw new RowError('no author');
  if (text === undefined) throw new RowError('no text');
  if (isTooLong(text)) throw new RowError(`the text must be at most ${MAX_TEXT_CHARACTERS} characters`);
  const createdAt = source.createdAt ?? snowflakeTime(tweetId);
  if (createdAt === null) throw new RowError('the time cannot be read, and the id contains none');

  return {
    kind: 'tweet',
    tweetId,
    author,
    content: text,
    createdAt,
    language: languageIn(source.language, text, languageOf),
    hashtags: hashtagsOf(text),
    mentions: mentionsOf(text),
    raw,
    ...given({ location, inReplyToId, sharedTweetId, quotedTweetId, likeCount, shareCount, replyCount }),
  };
}

/** The language that a source gives, `und` if that is none that is registered; detected if the source gives none. */
function languageIn(given: string | undefined, text: string, languageOf: LanguageOf): string {
  const tag = optionalText(given);
  return tag === undefined ? languageOf(text) : (languageNamed(tag) ?? 'und');
}

/** The limit is in code points, which are counted only if there are more UTF-16 units than that. */
function isTooLong(text: string): boolean {
  if (text.length <= MAX_TEXT_CHARACTERS) return false;
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0) > MAX_TEXT_CHARACTERS;
}
