import type { Context } from '../../context';
import { limitTurns } from '../../kit/base/per-turn';
import type { Row } from '../../kit/cassandra/table';
import { HiddenReason } from '../hidden/hidden.enums';
import { findBlock } from '../hidden/may-show';
import { blockIn } from '../follow/block';
import { shownRelations } from '../follow/follow.table';
import { followsIn, joinPair } from '../follow/relation';
import { waitToLook } from '../search/words';
import { compareFound, Tier, type FoundUser } from './rank-found';
import { foldedSearch, isFoundBy, MAX_PREFIX_CHARACTERS, sortNameOf } from './starts';
import { followeesByName, foundByPrefix, KEPT_USERS, LOOKED_AT_FOLLOWEES } from './user-search.table';

/** How many of all users are looked at: those with the most followers whose names begin so. */
export const MAX_CANDIDATES = 30;

const sortNames = new WeakMap<object, Promise<string>>();

/** The name by which a row is sorted. All searches of a request find the same rows, so each is computed once, in a turn that has time for it. */
function sortNameIn(row: Parameters<typeof sortNameOf>[0], load: Context['load']): Promise<string> {
  const known = sortNames.get(row) ?? waitToLook(row.name.length, load).then(() => sortNameOf(row));
  sortNames.set(row, known);
  return known;
}

/** Waits for a turn of the event loop in which so many rows may be compared with a search: 10,000 take a millisecond or two. */
const waitToCompare = limitTurns(10_000);

/** How many rows of a prefix a search reads. A text that is longer than a prefix is looked for among all of its users. */
export function rowsOfPrefix(search: string): number {
  return Array.from(search).length > MAX_PREFIX_CHARACTERS ? KEPT_USERS : MAX_CANDIDATES;
}

/**
 * Finds users by the start of their username or of a word of their name. Reads a partition of the best users of a prefix, one of those
 * whom the viewer follows, and the relations to at most 30 others.
 */
export async function searchUsers(context: Context, text: string, first: number): Promise<FoundUser[]> {
  const search = foldedSearch(text);
  if (search === '') return [];
  const username = text
    .trim()
    .replace(/^[@＠]/u, '')
    .toLowerCase();
  const limit = rowsOfPrefix(search);
  const prefix = Array.from(search).slice(0, MAX_PREFIX_CHARACTERS).join('');
  const { load, viewer } = context;
  const [viewerId, ofPrefix, exact] = await Promise.all([
    viewer.userId(),
    load(foundByPrefix.page, { prefix, limit }),
    load(foundByPrefix.page, { prefix: `=${username}`, limit }),
  ]);
  await waitToCompare(ofPrefix.length, load);
  const looked = ofPrefix.filter((user) => isFoundBy(user, search)).slice(0, MAX_CANDIDATES);
  const [followees, relations] = await Promise.all([
    viewerId === null ? [] : load(followeesByName.page, { userId: viewerId, limit: LOOKED_AT_FOLLOWEES }),
    viewerId === null ? null : relationsTo(load, viewerId, [...exact, ...looked]),
  ]);
  // Only blocks hide users in searches. The relations tell them, so the other rows that hide something from the viewer are not read.
  const blockOf = ({ userId }: { userId: string }) => relations && findBlock(relations, userId);
  const isShown = (user: { userId: string }) =>
    load.isHidden?.(user.userId) !== true && blockOf(user) === null;
  // A user whom the viewer blocks is found by the whole username, to be unblocked.
  const isShownWhole = (user: { userId: string }) =>
    load.isHidden?.(user.userId) !== true && blockOf(user) !== HiddenReason.BLOCKED_BY;
  const found = new Map<string, FoundUser>();
  const add = (user: FoundUser) => {
    if (!found.has(user.userId)) found.set(user.userId, user);
  };
  for (const user of exact.filter(isShownWhole)) add({ ...user, tier: Tier.EXACT });
  // No block stands between the viewer and a followed user, because it would have ended the follow.
  await waitToCompare(followees.length, load);
  const followed = followees.filter(
    (user) => isFoundBy(user, search) && load.isHidden?.(user.followeeId) !== true,
  );
  const names = await Promise.all(followed.map((user) => sortNameIn(user, load)));
  followed.forEach(({ followeeId: userId, ...user }, n) => {
    add({ ...user, userId, rank: 0, sortName: names[n] ?? '', tier: Tier.FOLLOWED });
  });
  for (const user of looked)
    if (!found.has(user.userId) && isShown(user))
      add({ ...user, tier: relations?.tierOf(user.userId) ?? Tier.OTHER });
  return [...found.values()].sort(compareFound).slice(0, first);
}

/** Reads the relations between a user and some others: follows and blocks. */
async function relationsTo(load: Context['load'], viewerId: string, others: readonly { userId: string }[]) {
  const rows = new Map<string, Row<typeof shownRelations> | null>();
  await Promise.all(
    others.map(async ({ userId }) => {
      if (userId === viewerId) return;
      rows.set(userId, await load(shownRelations.get, { pair: joinPair(viewerId, userId) }));
    }),
  );
  const rowOf = (userId: string) => rows.get(userId) ?? null;
  const tierOf = (userId: string) => {
    if (followsIn(rowOf(userId), viewerId, userId)) return Tier.FOLLOWED;
    return followsIn(rowOf(userId), userId, viewerId) ? Tier.FOLLOWER : Tier.OTHER;
  };
  return {
    viewerId,
    blocks: (userId: string) => blockIn(rowOf(userId), viewerId, userId)?.blocks === true,
    isBlockedBy: (userId: string) => blockIn(rowOf(userId), userId, viewerId)?.blocks === true,
    tierOf,
  };
}
