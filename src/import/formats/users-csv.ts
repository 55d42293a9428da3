import { csvFormat, type CsvRow } from '../records/csv';
import { decodeEntities } from '../records/entities';
import { withoutUndefined } from '../records/given';
import type { UserRecord } from '../records/record';
import { TWEET_COLUMN } from './tweet-column';
import { optionalText, optionalTime, optionalUsername, requiredId, RowError } from '../records/row';

/** CSV of Twitter accounts: `user_id,name,username` and optionally `description` and `created_at`. */
export const usersCsv = csvFormat(
  {
    name: 'users-csv',
    summary: 'CSV of Twitter accounts: user_id,name,username[,description,created_at]',
    columns: {
      required: ['user_id', 'username'],
      optional: ['name', 'description', 'created_at', '_ts'],
      foreign: TWEET_COLUMN,
    },
  },
  () => (row) => [readUser(row)],
);

function readUser(row: CsvRow): UserRecord {
  const userId = requiredId('user_id', row.get('user_id'));
  const username = optionalUsername(row.get('username'));
  if (username === undefined) throw new RowError('no username');
  const description = optionalText(row.get('description'));
  return {
    kind: 'user',
    userId,
    username,
    name: decodeEntities(optionalText(row.get('name')) ?? username),
    onTwitter: true,
    ...withoutUndefined({
      description: description === undefined ? undefined : decodeEntities(description),
      createdAt: optionalTime('created_at', row.get('created_at')),
    }),
  };
}
