import { csvFormat, type CsvRow } from '../records/csv';
import { deriveId } from '../records/derive';
import { optionalLocation } from '../records/location';
import type { TweetRecord } from '../records/record';
import { optionalCount, optionalTime, optionalUsername, RowError, type Drop } from '../records/row';
import { parseDayFirstTime, parseTime } from '../records/time';
import { tweetRecord } from '../records/tweet';
import { snowflakeAt } from '../../kit/base/snowflake';
import { loadDetector, type DetectLanguage } from '../../features/tweet/language';

/**
 * A flat CSV of tweets, as courses on column stores hand it out. Times have the day first and are UTC.
 *
 * Spreadsheets turn its ids into numbers such as `5.34896E+17`, which are not integers and are the same for many
 * tweets. Such an id is replaced by one derived from the author, the time and the text of the row: a snowflake within
 * the minute (or second) of `date_time`, whose offset in it and low bits are a hash of the three. So the id is the
 * same on every import and sorts by time among real ids, and rows equal in all three are one tweet. A plain integer
 * is kept.
 */
export const flatCsv = csvFormat(
  {
    name: 'flat-csv',
    summary:
      'CSV of tweets: author,content,country,date_time,id,language,latitude,longitude,number_of_likes,number_of_shares',
    columns: {
      required: ['author', 'content', 'date_time', 'id'],
      optional: ['country', 'language', 'latitude', 'longitude', 'number_of_likes', 'number_of_shares'],
    },
  },
  async () => {
    const languageOf = await loadDetector();
    return (row, drop) => [readTweet(row, languageOf, drop)];
  },
);

function readTweet(row: CsvRow, languageOf: DetectLanguage, drop: Drop): TweetRecord {
  const author = optionalUsername(row.get('author'));
  if (author === undefined) throw new RowError('no author');
  const createdAt = optionalTime(
    'date_time',
    row.get('date_time'),
    (text) => parseDayFirstTime(text) ?? parseTime(text),
  );
  const id = row.get('id')?.trim() ?? '';
  return tweetRecord(
    {
      tweetId: isFromSpreadsheet(id) ? derivedId(author, createdAt, row.get('content') ?? '') : id,
      author: { username: author },
      text: row.get('content'),
      createdAt,
      language: row.get('language'),
      location: optionalLocation(row.get('latitude'), row.get('longitude'), row.get('country'), drop),
      likeCount: optionalCount('number_of_likes', row.get('number_of_likes'), drop),
      shareCount: optionalCount('number_of_shares', row.get('number_of_shares'), drop),
      raw: row.raw(),
    },
    languageOf,
    drop,
  );
}

/** Whether `id` has an exponent or a decimal mark (a point or a comma), which only spreadsheets write. */
function isFromSpreadsheet(id: string): boolean {
  return /^\d+([.,]\d*)?E\+?\d+$|^\d+[.,]\d*$/i.test(id);
}

function derivedId(author: string, createdAt: Date | undefined, text: string): string {
  if (createdAt === undefined) throw new RowError('no date_time, and a spreadsheet has rounded the id');
  const hash = BigInt(deriveId('flat-csv', author, createdAt.toISOString(), text));
  // Most times have no seconds. Spread over the minute, even 100,000 tweets of one minute hardly ever get the same id.
  const span = createdAt.getUTCSeconds() === 0 ? 60_000n : 1000n;
  const id = snowflakeAt(new Date(createdAt.getTime() + Number((hash >> 22n) % span)), hash);
  if (id === null) throw new RowError('no id can be derived for a time before November 2010');
  return id;
}
