import { FREE } from '../../kit/cost/cost';
import { forPeople, rowsOf, type TableBound } from '../../kit/cost/reads';
import { hiddenByUser, MAX_HIDDEN_BYTES, MAX_HIDDEN_ROWS } from './hidden.table';

/** What the rows of a user read. */
export const readHidden: TableBound = {
  table: hiddenByUser.name,
  cost: () => ({ reads: 1, rows: MAX_HIDDEN_ROWS }),
  bytes: () => MAX_HIDDEN_BYTES,
  isConstant: true,
};

/**
 * What finding the caller's user reads: the same as `VIEWER_READS` says, whose tables cannot be imported here, because users are hidden, too.
 * A test compares the two.
 */
const FINDING_VIEWER = [
  rowsOf({ name: 'users_by_identity', rowBytes: 32_788 }),
  rowsOf({ name: 'users', rowBytes: 15_028 }, 2),
];

/** What is read only if that was reserved: tweets that others share, answer or quote, and relations of a viewer whom very many block. */
const RESERVED: readonly TableBound[] = ['tweets', 'relations'].map((table) => ({
  table,
  cost: () => FREE,
  bytes: () => 0,
}));

/**
 * What finding out what is hidden from the caller's user reads, once a request. Callers without a user cost none of it, and their answers
 * do not depend on it, so unlike `VIEWER_READS` it leaves them to caches that many share.
 */
export const SIGHT_READS = [...FINDING_VIEWER, readHidden, ...RESERVED].map(forPeople);
