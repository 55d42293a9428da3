import { csvFormat, type CsvRow } from '../records/csv';
import { optionalLink } from '../records/link';
import type { TweetRecord, Format } from '../records/record';
import { optionalCount, optionalTime, requiredId, type Drop } from '../records/row';
import { tweetRecord } from '../records/tweet';
import { loadDetector, type DetectLanguage } from '../../features/tweet/language';
import { kindOfRecords, readJson } from '../records/json-file';
import { readTwitterElements } from '../records/twitter-rows';

/** CSV of tweets with counts, as data frames of Twitter's API are written. */
export const tweetsCsv = csvFormat(
  {
    name: 'tweets-csv',
    summary: 'CSV of tweets with counts: tweet_id,author_id,text[,created_at,like_count,replied_to,…]',
    columns: {
      required: ['tweet_id', 'author_id', 'text'],
      optional: [
        ...['created_at', 'lang', 'like_count', 'retweet_count', 'reply_count'],
        ...['replied_to', 'retweeted', 'quoted'],
      ],
    },
  },
  async () => {
    const languageOf = await loadDetector();
    return (row, drop) => [readTweet(row, languageOf, drop)];
  },
);

function readTweet(row: CsvRow, languageOf: DetectLanguage, drop: Drop): TweetRecord {
  const countIn = (column: string) => optionalCount(column, row.get(column), drop);
  const linkIn = (column: string) => optionalLink(column, row.get(column), drop);
  return tweetRecord(
    {
      tweetId: row.get('tweet_id'),
      author: { userId: requiredId('author_id', row.get('author_id')) },
      text: row.get('text'),
      createdAt: optionalTime('created_at', row.get('created_at')),
      language: row.get('lang'),
      location: undefined,
      inReplyToId: linkIn('replied_to'),
      sharedTweetId: linkIn('retweeted'),
      quotedTweetId: linkIn('quoted'),
      likeCount: countIn('like_count'),
      shareCount: countIn('retweet_count'),
      replyCount: countIn('reply_count'),
      raw: row.raw(),
    },
    languageOf,
    drop,
  );
}

/** Geotagged tweets as lines of JSON, whose authors have a screen name but no id. */
export const tweetsGeo: Format = {
  name: 'tweets-geo',
  summary: 'lines of JSON: geotagged tweets whose users have a screen_name and no id',
  detect: (head) => kindOfRecords(head) === 'geo',
  read: (bytes) => readTwitterElements(readJson(bytes), undefined),
};
