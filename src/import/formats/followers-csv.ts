import { columnsOf, readCsv, type Columns } from '../records/csv';
import type { FollowRecord, Format } from '../records/record';
import { optionalUsername, RowError } from '../records/row';

/** Who follows whom by usernames: `user,follower`. */
export const followersCsv: Format = {
  name: 'followers-csv',
  summary: 'CSV of usernames: user,follower',
  detect(head) {
    const columns = columnsOf(head);
    return columns.includes('user') && columns.includes('follower');
  },
  read: (chunks) => readCsv(chunks, (row) => [followOf(row)]),
};

function followOf(row: Columns): FollowRecord {
  const follower = usernameIn(row, 'follower');
  const followee = usernameIn(row, 'user');
  if (follower.toLowerCase() === followee.toLowerCase())
    throw new RowError('a user cannot follow themselves');
  return { kind: 'follow', follower: { username: follower }, followee: { username: followee } };
}

function usernameIn(row: Columns, column: string): string {
  const username = optionalUsername(row.get(column));
  if (username === undefined) throw new RowError(`no ${column}`);
  return username;
}
