import { splitPagesOf, stretchReads, visibilityReads } from '../../kit/lists/page-bounds';
import { FREE, sumOf, type Cost } from '../../kit/cost/cost';
import { rowsOf, sharedByObject, upTo, type TableBound } from '../../kit/cost/reads';
import { checksOf, MAX_CHECKS_PER_ROW } from '../../kit/lists/list-parts';
import { relations } from '../follow/follow.table';
import { HIDDEN_READ, SIGHT_READS } from '../hidden/hidden-reads';
import { MAX_LEARNED } from './notification-view';
import { DELETIONS } from '../tweet/tweet-reads';
import { tweets } from '../tweet/tweet.table';
import { MAX_MEMBERS_LOOKED_AT } from './notification-actors';
import { notificationGroups, notificationsByUser } from './notification.table';

/** The read of a user's marker and muted threads. People read them with what is hidden from them. */
export const STATE: TableBound = { ...HIDDEN_READ };

/** The reads that find an actor whom the user may see, if the user may see none of those that rows name. */
const FURTHER_ACTORS: TableBound = upTo(notificationGroups, ({ limit }) => ({
  reads: checksOf(limit),
  rows: checksOf(limit) * MAX_MEMBERS_LOOKED_AT,
}));

/** The reads of the actors that rows name, for a user whom so many block that they are not all known. */
const LEARNED_OF_ROWS: TableBound = upTo(relations, ({ limit }) => {
  const reads = MAX_CHECKS_PER_ROW * (limit + 1) * MAX_LEARNED;
  return { reads, rows: reads };
});

/** The same of those of a page of actors. */
export const LEARNED: TableBound = upTo(relations, ({ limit }) => {
  const reads = MAX_CHECKS_PER_ROW * (limit + 1);
  return { reads, rows: reads };
});

/** The reads that find the newest actor of a notification whom the user may see. */
export const FIRST_ACTOR_READS = [
  upTo(notificationGroups, () => ({ reads: 1, rows: MAX_MEMBERS_LOOKED_AT })),
  rowsOf(relations, MAX_LEARNED),
  ...SIGHT_READS,
] as const;

/** The reads of a page of notifications. */
export const NOTIFICATION_READS: readonly TableBound[] = [
  splitPagesOf(notificationsByUser),
  stretchReads(),
  // Services ask for the notifications of several users at once.
  sharedByObject(STATE),
  visibilityReads(tweets),
  DELETIONS,
  FURTHER_ACTORS,
  LEARNED_OF_ROWS,
  ...SIGHT_READS,
];

/**
 * The cost of a notification that `node` or `nodes` is asked for. It is reserved then, because other nodes cost less. The rows of the state
 * are those that tell what is hidden from the caller, which a request reads once, and its bound counts from the start.
 */
export const NODE_COST: Cost = sumOf([
  { reads: 1, rows: 1 },
  ...NOTIFICATION_READS.filter(({ table, isForPeople }) => isForPeople !== true && table !== STATE.table).map(
    ({ cost }) => cost({ args: {}, limit: 1, selects: () => false }),
  ),
]);

/** The tables of which that is. */
export const RESERVED_FOR_NODE: readonly TableBound[] = NOTIFICATION_READS.map((bound) => ({
  ...bound,
  cost: () => FREE,
  bytes: () => 0,
}));

/** The reads of so many rows of a page, whatever the arguments of a field are. */
export function readsOfBadge(limit: number): TableBound[] {
  return NOTIFICATION_READS.map((bound) => ({
    ...bound,
    cost: (asked) => bound.cost({ ...asked, limit }),
    bytes: (asked) => bound.bytes({ ...asked, limit }),
  }));
}
