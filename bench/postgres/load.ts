import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FollowRecord, ImportRecord, TweetRecord, UserRecord } from '../../src/import/records/record';
import { randomFrom } from '../../src/kit/base/random';
import { SEED, type Discoverable } from '../stage';
import { generate } from '../tweets/generate';
import type { Postgres } from './cluster';

/** Loads the generated tweets and their people with COPY, then creates the indexes. */
export async function loadTweets({ psql }: Postgres, { tweets, end }: Discoverable): Promise<void> {
  const records: Record<ImportRecord['kind'], string[]> = { user: [], follow: [], tweet: [] };
  for (const record of generate({ tweets, end, random: randomFrom(SEED) }))
    records[record.kind].push(rowOf(record));
  await psql([sqlOf('schema.sql')]);
  await psql(copying('users', records.user));
  await psql(copying('tweets', records.tweet));
  await psql(copying('follows', records.follow));
  await psql([sqlOf('indexes.sql'), 'VACUUM ANALYZE;']);
}

function sqlOf(file: string): string {
  return readFileSync(join(__dirname, '../../../bench/postgres', file), 'utf8');
}

function* copying(table: string, rows: readonly string[]): Iterable<string> {
  yield `COPY ${table} FROM STDIN;`;
  yield* rows;
  yield '\\.';
}

function rowOf(record: ImportRecord): string {
  const columns =
    record.kind === 'user' ? userOf(record) : record.kind === 'follow' ? followOf(record) : tweetOf(record);
  return columns.join('\t');
}

function userOf({ userId, username, name }: UserRecord) {
  return [userId, username, name];
}

function followOf({ follower, followee }: FollowRecord) {
  return [follower.userId, followee.userId];
}

/** Generated texts have no characters that COPY needs escaped. */
function tweetOf(tweet: TweetRecord) {
  const { location, hashtags } = tweet;
  return [
    tweet.tweetId,
    tweet.author.userId,
    tweet.content,
    tweet.createdAt.toISOString(),
    tweet.language,
    `{${hashtags.join(',')}}`,
    tweet.likeCount,
    location === undefined ? '\\N' : `(${location.longitude},${location.latitude})`,
  ];
}
