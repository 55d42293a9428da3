import { compareKeys } from '../../kit/lists/merge';
import { ONE_PARTITION } from '../../kit/lists/page-bounds';
import { rowsOfSlice, sourceOf, type List, type Source } from '../../kit/lists/list-parts';
import type { Load } from '../../kit/reads/load';
import { actorsIn, type Actor } from './actor';
import { notificationGroups, type NotificationRow } from './notification.table';

/** The section of a group that has its members by the times of their acts. */
const MEMBERS = 1;
/** After all members comes the other section. */
const isMember = ({ section }: { readonly section: number }) => section === MEMBERS;

/** How many members of a group are looked at for one whom the user may see, if none of those that its row names is. */
export const MAX_MEMBERS_LOOKED_AT = 100;

/** The newest members of a group. */
export async function newestMembers(load: Load, groupId: string, limit: number): Promise<Actor[]> {
  const rows = await load(notificationGroups.page, { groupId, limit });
  return rows.filter(isMember);
}

const actorPosition = ({ at, actorId }: Actor) => [at, actorId] as const;

/**
 * The actors of a notification, newest act first. Actors that its row names are not read again: most notifications have no others, and most
 * pages need none.
 */
export function actorList(
  load: Load,
  row: Pick<NotificationRow, 'notificationId' | 'actorCount' | 'actors'>,
): List<Actor> {
  const { notificationId: groupId, actorCount } = row;
  const named = actorsIn(row);
  const isAll = actorCount <= named.length;
  const source = isAll ? namedSource(named) : memberSource(load, groupId);
  return {
    name: `actors ${groupId}`,
    bounds: ONE_PARTITION,
    position: actorPosition,
    parts({ from, limit }) {
      const slice = { limit: limit + 1 };
      const begun =
        from === null && !isAll && named.length > limit
          ? { begun: [rowsOfSlice(named.slice(0, slice.limit), slice, actorPosition)] }
          : {};
      return Promise.resolve([{ sources: [source], start: from ?? { bucket: 0, key: [] }, ...begun }]);
    },
  };
}

function memberSource(load: Load, groupId: string): Source<Actor> {
  return sourceOf(async ({ after, reversed, limit }) => {
    const from = after === undefined ? undefined : [MEMBERS, ...after];
    const rows = await load(notificationGroups.page, { groupId, after: from, reversed, limit });
    return rows.filter(isMember);
  }, actorPosition);
}

/** The actors that a row names, as if they were a partition. */
function namedSource(named: readonly Actor[]): Source<Actor> {
  return sourceOf(({ after, reversed, limit }) => {
    const ordered = reversed ? named.toReversed() : named;
    const sign = reversed ? 1 : -1;
    const isAfter = (actor: Actor) =>
      after === undefined || sign * compareKeys(actorPosition(actor), after) > 0;
    return Promise.resolve(ordered.filter(isAfter).slice(0, limit));
  }, actorPosition);
}
