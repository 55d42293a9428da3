import { idOf, text } from '../../kit/cassandra/column';
import { table } from '../../kit/cassandra/table';

/** The greatest size of a claim of a token in bytes: a token comes in a header, and all headers have at most 16 KiB. */
const MAX_CLAIM_BYTES = 16_384;

/** The user of an identity. The row is written before the user is stored. */
export const usersByIdentity = table(
  'users_by_identity',
  { issuer: text(MAX_CLAIM_BYTES), subject: text(MAX_CLAIM_BYTES), userId: idOf('User') },
  {
    role: { kind: 'truth', why: 'it decides which user an identity made' },
    writeLoad: { rows: { signUp: 1 }, transactions: { signUp: 1 }, bytes: 150, spread: { over: 'acts' } },
    partition: ['issuer', 'subject'],
  },
);
