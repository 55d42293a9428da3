import { csvFormat, type CsvRow } from '../records/csv';
import { decodeEntities } from '../records/entities';
import { optionalLink } from '../records/link';
import { optionalLocation } from '../records/location';
import type { Person, TweetRecord, UserRecord } from '../records/record';
import {
  idOrDrop,
  optionalCount,
  optionalText,
  optionalTime,
  optionalUsername,
  optionalValue,
  requiredId,
  RowError,
  type Drop,
} from '../records/row';
import { parseTime } from '../records/time';
import { tweetRecord } from '../records/tweet';
import { loadDetector, type DetectLanguage } from '../../features/tweet/language';

/**
 * The CSV of tweets that Twint writes. The row of a retweet is the original, and says besides who retweeted it when. Twint does not say
 * which tweet a reply answers, only which conversation it is in.
 */
export const twintCsv = csvFormat(
  {
    name: 'twint-csv',
    summary: 'CSV of tweets that Twint writes: id,user_id,username,tweet[,created_at,name,likes_count,…]',
    columns: {
      required: ['id', 'user_id', 'username', 'tweet'],
      optional: [
        ...['conversation_id', 'created_at', 'date', 'time', 'timezone', 'name', 'place', 'language'],
        ...['mentions', 'urls', 'photos', 'replies_count', 'retweets_count', 'likes_count', 'hashtags'],
        ...['cashtags', 'link', 'retweet', 'quote_url', 'video', 'thumbnail', 'near', 'geo', 'source'],
        ...['user_rt_id', 'user_rt', 'retweet_id', 'reply_to', 'retweet_date'],
        ...['translate', 'trans_src', 'trans_dest'],
      ],
    },
  },
  async () => {
    const languageOf = await loadDetector();
    return (row, drop) => readRecords(row, languageOf, drop);
  },
);

function readRecords(row: CsvRow, languageOf: DetectLanguage, drop: Drop): (UserRecord | TweetRecord)[] {
  const username = optionalUsername(row.get('username'));
  if (username === undefined) throw new RowError('no username');
  const author = { userId: requiredId('user_id', row.get('user_id')), username };
  const name = decodeEntities(optionalText(row.get('name')) ?? username);
  const profile: UserRecord = { kind: 'user', ...author, name, onTwitter: true };
  const tweet = readTweet(row, author, languageOf, drop);
  const share = readShare(row, tweet.tweetId, username, languageOf, drop);
  return share === undefined ? [profile, tweet] : [profile, tweet, share];
}

function readTweet(row: CsvRow, author: Person, languageOf: DetectLanguage, drop: Drop): TweetRecord {
  const countIn = (column: string) => optionalCount(column, row.get(column), drop);
  return tweetRecord(
    {
      tweetId: row.get('id'),
      author,
      text: row.get('tweet'),
      createdAt: readTime(row),
      language: row.get('language'),
      location: locationIn(row, drop),
      quotedTweetId: optionalLink('quote_url', row.get('quote_url'), drop),
      likeCount: countIn('likes_count'),
      shareCount: countIn('retweets_count'),
      replyCount: countIn('replies_count'),
      raw: row.raw(),
    },
    languageOf,
    drop,
  );
}

/** The retweet that a row is, if it is one. */
function readShare(
  row: CsvRow,
  tweetId: string,
  username: string,
  languageOf: DetectLanguage,
  drop: Drop,
): TweetRecord | undefined {
  const retweetId = idOrDrop('retweet_id', row.get('retweet_id'), drop);
  const userId = idOrDrop('user_rt_id', row.get('user_rt_id'), drop);
  if (retweetId === undefined || userId === undefined || retweetId === tweetId) return undefined;
  return tweetRecord(
    {
      tweetId: retweetId,
      author: { userId },
      text: `RT @${username}: ${row.get('tweet') ?? ''}`,
      createdAt: optionalTime('retweet_date', row.get('retweet_date')),
      language: row.get('language'),
      location: undefined,
      sharedTweetId: tweetId,
      raw: row.raw(),
    },
    languageOf,
    drop,
  );
}

/** `created_at` may name its zone only, such as CET; `date`, `time` and `timezone` say the same with an offset. */
function readTime(row: CsvRow): Date | undefined {
  const parts = ['date', 'time', 'timezone'].map((column) => optionalValue(row.get(column)));
  const whole = parts.includes(undefined) ? '' : parts.join(' ');
  const createdAt = optionalTime(
    'created_at',
    row.get('created_at'),
    (text) => parseTime(text) ?? parseTime(whole),
  );
  return createdAt ?? optionalTime('date, time and timezone', whole);
}

/** `place` is a point, printed by Python, whose latitude comes first. */
function locationIn(row: CsvRow, drop: Drop): TweetRecord['location'] {
  const place = optionalValue(row.get('place'));
  if (place === undefined) return undefined;
  const [, latitude, longitude] = /coordinates['"]?\s*:\s*[[(]([^,\])]*),([^,\])]*)[\])]/.exec(place) ?? [];
  if (latitude === undefined) drop('place');
  return optionalLocation(latitude, longitude, undefined, drop, ['place', 'place']);
}
