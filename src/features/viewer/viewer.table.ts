import { id, text } from '../../kit/cassandra/column';
import { table } from '../../kit/cassandra/table';

/** The user of an identity. The row is written before the user is stored. */
export const usersByIdentity = table(
  'users_by_identity',
  { issuer: text, subject: text, userId: id },
  { partition: ['issuer', 'subject'] },
);
