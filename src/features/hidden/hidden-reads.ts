import { FREE } from '../../kit/cost/cost';
import { forPeople, rowsOf, type TableBound } from '../../kit/cost/reads';
import { hiddenByUser, MAX_HIDDEN_BYTES, MAX_HIDDEN_ROWS } from './hidden.table';

/** The read of a user's rows. */
export const HIDDEN_READ: TableBound = {
  table: hiddenByUser.name,
  cost: () => ({ reads: 1, rows: MAX_HIDDEN_ROWS }),
  bytes: () => MAX_HIDDEN_BYTES,
  isConstant: true,
};

/**
 * The reads that find the caller's user: the same as in `VIEWER_READS`, whose tables cannot be imported here, because users are hidden,
 * too. A test compares the two.
 */
const FINDING_VIEWER = [
  rowsOf({ name: 'users_by_identity', rowBytes: 32_788 }),
  rowsOf({ name: 'users', rowBytes: 15_028 }, 2),
];

/**
 * The tables that are read only if that was reserved: tweets that others share, answer or quote, and relations of a viewer whom very many
 * block.
 */
const RESERVED: readonly TableBound[] = ['tweets', 'relations'].map((table) => ({
  table,
  cost: () => FREE,
  bytes: () => 0,
}));

/**
 * The reads that find out what is hidden from the caller's user, once a request. They cost nothing for callers without a user, whose
 * answers do not depend on them, so unlike `VIEWER_READS` they let caches that many share keep those answers.
 */
export const SIGHT_READS = [...FINDING_VIEWER, HIDDEN_READ, ...RESERVED].map(forPeople);
