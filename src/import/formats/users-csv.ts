import { columnsOf, readCsv, type Columns } from '../records/csv';
import type { Format, UserRecord } from '../records/record';
import { optionalText, optionalUsername, requiredId, RowError } from '../records/row';

/** CSV of Twitter accounts: `user_id,name,username` and optionally `description`. */
export const usersCsv: Format = {
  name: 'users-csv',
  summary: 'CSV of Twitter accounts: user_id,name,username[,description]',
  detect(head) {
    const columns = columnsOf(head);
    return columns.includes('user_id') && columns.includes('username');
  },
  read: (chunks) => readCsv(chunks, (row) => [userOf(row)]),
};

function userOf(row: Columns): UserRecord {
  const userId = requiredId('user_id', row.get('user_id'));
  const username = optionalUsername(row.get('username'));
  if (username === undefined) throw new RowError('no username');
  const description = optionalText(row.get('description'));
  return {
    kind: 'user',
    userId,
    username,
    name: optionalText(row.get('name')) ?? username,
    onTwitter: true,
    ...(description !== undefined && { description }),
  };
}
