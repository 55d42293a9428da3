import { id, text } from '../kit/cassandra/column';
import { table } from '../kit/cassandra/table';

/** The user that an identity made for itself; the user may not be there yet. */
export const usersByIdentity = table(
  'users_by_identity',
  { issuer: text, subject: text, userId: id },
  { partition: ['issuer', 'subject'] },
);
