import type { Context } from '../../context';
import type { Row } from '../../kit/cassandra/table';
import { HiddenReason } from '../hidden/hidden.enums';
import { findBlock, mayShow } from '../hidden/may-show';
import { isFollowing } from '../follow/relation';
import { compareFound, Tier, type FoundUser } from './rank-found';
import { foldedSearch, MAX_PREFIX_CHARACTERS, sortNameOf } from './starts';
import { followeesByName, foundByPrefix, KEPT_USERS, LOOKED_AT_FOLLOWEES } from './user-search.table';

/** How many of all users are looked at: those with the most followers whose names begin so. */
export const MAX_CANDIDATES = 30;

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
  const [viewerId, sight] = await Promise.all([viewer.userId(), context.sight()]);
  const [ofPrefix, exact, followees] = await Promise.all([
    load(foundByPrefix.page, { prefix, limit }),
    load(foundByPrefix.page, { prefix: `=${username}`, limit }),
    viewerId === null ? [] : load(followeesByName.page, { userId: viewerId, limit: LOOKED_AT_FOLLOWEES }),
  ]);
  const looked = ofPrefix.filter((user) => begins(user, search)).slice(0, MAX_CANDIDATES);
  await sight?.learn([...exact, ...looked].map(({ userId }) => userId));
  const isShown = ({ userId }: { userId: string }) =>
    load.isHidden?.(userId) !== true && mayShow(sight, { kind: 'user', authorId: userId }, 'SEARCH') === null;
  // Whom the viewer blocks is found by the whole username, to be unblocked.
  const isShownWhole = ({ userId }: { userId: string }) =>
    load.isHidden?.(userId) !== true &&
    (sight === null || findBlock(sight, userId) !== HiddenReason.BLOCKED_BY);
  const found = new Map<string, FoundUser>();
  const add = (user: FoundUser) => {
    if (!found.has(user.userId)) found.set(user.userId, user);
  };
  for (const user of exact.filter(isShownWhole)) add({ ...user, tier: Tier.EXACT });
  for (const { followeeId: userId, ...user } of followees)
    // No block stands between the two: it would have ended the follow.
    if (begins(user, search) && load.isHidden?.(userId) !== true)
      add({ ...user, userId, rank: 0, sortName: sortNameOf(user), tier: Tier.FOLLOWED });
  const others = looked.filter((user) => !found.has(user.userId) && isShown(user));
  const tiers = await Promise.all(others.map(({ userId }) => tierOf(load, viewerId, userId)));
  for (const [index, user] of others.entries()) add({ ...user, tier: tiers[index] ?? Tier.OTHER });
  return [...found.values()].sort(compareFound).slice(0, first);
}

function begins({ starts }: Pick<Row<typeof foundByPrefix>, 'starts'>, search: string): boolean {
  return starts.split('\n').some((start) => start.startsWith(search));
}

async function tierOf(load: Context['load'], viewerId: string | null, userId: string): Promise<Tier> {
  if (viewerId === null || viewerId === userId) return Tier.OTHER;
  if (await isFollowing(load, viewerId, userId)) return Tier.FOLLOWED;
  return (await isFollowing(load, userId, viewerId)) ? Tier.FOLLOWER : Tier.OTHER;
}
