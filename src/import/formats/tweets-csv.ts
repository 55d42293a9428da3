import { columnsOf, rawOf, readCsv, type Columns } from '../records/csv';
import { parseIsoDate, parseTwitterDate } from '../records/date';
import { loadLanguageOf, type LanguageOf } from '../../tweet/language';
import type { Format, TweetRecord } from '../records/record';
import { excerpt, optionalCount, optionalId, optionalText, requiredId, RowError } from '../records/row';
import { tweetRecord } from '../records/tweet';

/** CSV of tweets with counts, written by Python in 2022: links to other tweets are lists such as `[1600000000000000001]`. */
export const tweetsCsv: Format = {
  name: 'tweets-csv',
  summary: 'CSV of tweets with counts: tweet_id,author_id,text,created_at,like_count,replied_to,…',
  detect(head) {
    const columns = columnsOf(head);
    return ['tweet_id', 'author_id', 'text'].every((column) => columns.includes(column));
  },
  async *read(chunks) {
    const languageOf = await loadLanguageOf();
    yield* readCsv(chunks, (row) => [tweetOf(row, languageOf)]);
  },
};

function tweetOf(row: Columns, languageOf: LanguageOf): TweetRecord {
  const createdAt = row.get('created_at')?.trim() ?? '';
  return tweetRecord(
    {
      tweetId: row.get('tweet_id'),
      author: { userId: requiredId('author_id', row.get('author_id')) },
      text: row.get('text'),
      createdAt: parseIsoDate(createdAt) ?? parseTwitterDate(createdAt),
      language: optionalText(row.get('lang')),
      location: undefined,
      inReplyToId: listedId(row, 'replied_to'),
      sharedTweetId: listedId(row, 'retweeted'),
      quotedTweetId: listedId(row, 'quoted'),
      likeCount: optionalCount('like_count', row.get('like_count')),
      shareCount: optionalCount('retweet_count', row.get('retweet_count')),
      replyCount: optionalCount('reply_count', row.get('reply_count')),
      raw: rawOf(row),
    },
    languageOf,
  );
}

/** The first id in a list that Python printed; undefined if the list is empty. */
function listedId(row: Columns, column: string): string | undefined {
  const cell = row.get(column)?.trim() ?? '';
  const list = /^\[\s*(?:'?(\d+)'?\s*(?:,\s*'?\d+'?\s*)*)?\]$/.exec(cell);
  if (cell !== '' && list === null)
    throw new RowError(`${column} must be a list of ids, but got: ${excerpt(cell)}`);
  return optionalId(column, list?.[1]);
}
