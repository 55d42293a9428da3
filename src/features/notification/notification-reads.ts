import { splitPagesOf, stretchReads, visibilityReads } from '../../kit/lists/page-bounds';
import { oncePerRequest, upTo, type TableBound } from '../../kit/cost/reads';
import { checksOf } from '../../kit/lists/list-parts';
import { DELETIONS } from '../tweet/tweet-reads';
import { tweets } from '../tweet/tweet.table';
import { MAX_MEMBERS_LOOKED_AT } from './notification-actors';
import {
  MAX_MUTED_THREADS,
  notificationGroups,
  notificationsByUser,
  notificationStates,
} from './notification.table';

/** What the state of a user reads: the marker, and the muted threads. */
export const STATE = oncePerRequest(
  upTo(notificationStates, () => ({ reads: 1, rows: MAX_MUTED_THREADS + 1 })),
);

/** What finding an actor whom the user may see reads, where none of those that rows name is. */
const FURTHER_ACTORS: TableBound = upTo(notificationGroups, ({ limit }) => ({
  reads: checksOf(limit),
  rows: checksOf(limit) * MAX_MEMBERS_LOOKED_AT,
}));

/** What a page of notifications reads. */
export const NOTIFICATION_READS: readonly TableBound[] = [
  splitPagesOf(notificationsByUser),
  stretchReads(),
  STATE,
  visibilityReads(tweets),
  DELETIONS,
  FURTHER_ACTORS,
];

/** The same for so many rows, whatever the arguments of a field are. */
export function readsOfBadge(limit: number): TableBound[] {
  return NOTIFICATION_READS.map((bound) => ({
    ...bound,
    cost: (asked) => bound.cost({ ...asked, limit }),
    bytes: (asked) => bound.bytes({ ...asked, limit }),
  }));
}
