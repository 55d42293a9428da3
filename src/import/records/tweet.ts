import { snowflakeTime } from './derive';
import { given } from './given';
import { languageNamed, type LanguageOf } from '../../tweet/language';
import type { Person, TweetRecord } from './record';
import { requiredId, RowError } from './row';
import { hashtagsOf, mentionsOf } from '../../write/tweet/text';

const longestText = 10_000;

/** A tweet as its source has it: undefined is what the source does not say. */
export interface TweetSource {
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

/** The record of a tweet: checked, its time taken from its id where it has none, the text's own data read from it. */
export function tweetRecord(source: TweetSource, languageOf: LanguageOf): TweetRecord {
  const { author, text, raw, location, inReplyToId, sharedTweetId, quotedTweetId } = source;
  const { likeCount, shareCount, replyCount } = source;
  const tweetId = requiredId('tweet id', source.tweetId);
  if (author.userId === undefined && author.username === undefined) throw new RowError('no author');
  if (text === undefined) throw new RowError('no text');
  if (isTooLong(text)) throw new RowError(`the text must be at most ${longestText} characters`);
  const createdAt = source.createdAt ?? snowflakeTime(tweetId);
  if (createdAt === null) throw new RowError('no time that can be read, and the id holds none');

  return {
    kind: 'tweet',
    tweetId,
    author,
    content: text,
    createdAt,
    language: languageNamed(source.language) ?? languageOf(text),
    hashtags: hashtagsOf(text),
    mentions: mentionsOf(text),
    raw,
    ...given({ location, inReplyToId, sharedTweetId, quotedTweetId, likeCount, shareCount, replyCount }),
  };
}

/** Counts code points, and only where the number of UTF-16 units leaves a doubt. */
function isTooLong(text: string): boolean {
  if (text.length <= longestText) return false;
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0) > longestText;
}
