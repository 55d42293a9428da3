import { columnsOf, rawOf, readCsv, type Columns } from '../records/csv';
import { parseDayFirstDate, parseIsoDate, parseTwitterDate } from '../records/date';
import { deriveId, snowflakeAt } from '../records/derive';
import { loadLanguageOf, type LanguageOf } from '../../tweet/language';
import { locationOfCells } from '../records/location';
import type { Format, TweetRecord } from '../records/record';
import { optionalCount, optionalText, optionalUsername, RowError } from '../records/row';
import { tweetRecord } from '../records/tweet';

/**
 * The flat CSV of tweets that students of column stores are given. Times have the day first and are UTC.
 *
 * Its ids have often been through a spreadsheet, which leaves `5.34896E+17`: no integer, and the same for many
 * tweets. Such an id is not used. Instead one is derived from the author, the time and the text of the row: a
 * snowflake within the minute (or second) that `date_time` names, whose place in it and low bits are a hash of the
 * three. So it is the same on every import, sorts by time among true ids, and rows equal in the three are one tweet.
 * A plain integer is kept as it is.
 */
export const flatCsv: Format = {
  name: 'flat-csv',
  summary:
    'CSV of tweets: author,content,country,date_time,id,language,latitude,longitude,number_of_likes,number_of_shares',
  detect(head) {
    const columns = columnsOf(head);
    return ['author', 'content', 'date_time', 'id'].every((column) => columns.includes(column));
  },
  async *read(chunks) {
    const languageOf = await loadLanguageOf();
    yield* readCsv(chunks, (row) => [tweetOf(row, languageOf)]);
  },
};

function tweetOf(row: Columns, languageOf: LanguageOf): TweetRecord {
  const author = optionalUsername(row.get('author'));
  if (author === undefined) throw new RowError('no author');
  const time = row.get('date_time')?.trim() ?? '';
  const createdAt = parseDayFirstDate(time) ?? parseIsoDate(time) ?? parseTwitterDate(time);
  const id = row.get('id')?.trim() ?? '';
  return tweetRecord(
    {
      tweetId: isFromSpreadsheet(id) ? derivedId(author, createdAt, row.get('content') ?? '') : id,
      author: { username: author },
      text: row.get('content'),
      createdAt,
      language: optionalText(row.get('language')),
      location: locationOfCells(row.get('latitude'), row.get('longitude'), row.get('country')),
      likeCount: optionalCount('number_of_likes', row.get('number_of_likes')),
      shareCount: optionalCount('number_of_shares', row.get('number_of_shares')),
      raw: rawOf(row),
    },
    languageOf,
  );
}

/** A number with a power of ten or with decimals, in either way of writing the decimal mark. */
function isFromSpreadsheet(id: string): boolean {
  return /^\d+([.,]\d*)?E\+?\d+$|^\d+[.,]\d*$/i.test(id);
}

function derivedId(author: string, createdAt: Date | null, text: string): string {
  if (createdAt === null)
    throw new RowError('date_time cannot be read, and the id has been through a spreadsheet');
  const hash = BigInt(deriveId('flat-csv', author, createdAt.toISOString(), text));
  // Times mostly lack seconds: spread over it, a hundred thousand tweets of one minute hardly ever meet in an id.
  const span = createdAt.getUTCSeconds() === 0 ? 60_000n : 1000n;
  const id = snowflakeAt(new Date(createdAt.getTime() + Number((hash >> 22n) % span)), hash);
  if (id === null) throw new RowError('no id can be derived for a time before November 2010');
  return id;
}
