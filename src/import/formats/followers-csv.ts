import { csvFormat, type CsvRow } from '../records/csv';
import type { FollowRecord } from '../records/record';
import { TWEET_COLUMN } from './tweet-column';
import { optionalUsername, RowError } from '../records/row';

/** Who follows whom by usernames: `user,follower`. */
export const followersCsv = csvFormat(
  {
    name: 'followers-csv',
    summary: 'CSV of usernames: user,follower',
    columns: {
      required: ['user', 'follower'],
      optional: [],
      foreign: TWEET_COLUMN,
    },
  },
  () => (row) => [followOf(row)],
);

function followOf(row: CsvRow): FollowRecord {
  const follower = usernameIn(row, 'follower');
  const followee = usernameIn(row, 'user');
  if (follower.toLowerCase() === followee.toLowerCase())
    throw new RowError('a user cannot follow themselves');
  return { kind: 'follow', follower: { username: follower }, followee: { username: followee } };
}

function usernameIn(row: CsvRow, column: string): string {
  const username = optionalUsername(row.get(column));
  if (username === undefined) throw new RowError(`no ${column}`);
  return username;
}
