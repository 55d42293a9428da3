import type { Context, Sight } from '../../context';
import { Links, seenTweet } from '../hidden/hiding';
import { mayShow } from '../hidden/may-show';
import { hiddenSetOf, type HiddenSet } from '../hidden/sight/sight';
import { collect } from '../../kit/lists/connection';
import type { Checks, FoundRows, List, Source, Visible } from '../../kit/lists/list-parts';
import { compareKeys } from '../../kit/lists/merge';
import { cachedTweets } from '../tweet/tweet-invalidations';
import { actorsIn, type Actor } from './actor';
import { actorList, MAX_MEMBERS_LOOKED_AT, newestMembers } from './notification-actors';
import { NO_SUBJECT, NotificationKind } from './notification-kind';
import { notificationList, notificationPosition } from './notification-list';
import { type NotificationRow } from './notification.table';

/** The most that a badge counts. */
const MAX_UNREAD = 99;

/**
 * How many actors of one notification are checked for a block, for users with too many blockers to list. The other actors count as
 * blocking.
 */
export const MAX_LEARNED = 3;

/**
 * The point up to which a user has seen notifications, and the roots of muted threads. The rows that hide something from the user have
 * these, too.
 */
type State = Pick<HiddenSet, 'seen' | 'mutedThreads'>;

/** Whether a user has seen a notification where it is listed. */
export function isSeenIn({ seen }: Pick<State, 'seen'>, row: NotificationRow): boolean {
  return seen !== null && compareKeys(notificationPosition(row), seen) <= 0;
}

/** The notifications that a user may see, for one page; of some kinds, if they are given. The badge counts this list, too. */
export async function openNotifications(
  context: Context,
  userId: string,
  kinds?: readonly NotificationKind[] | null,
): Promise<{ readonly list: List<NotificationRow>; readonly state: State }> {
  const [state, sight] = await Promise.all([hiddenSetOf(context.load, userId), context.sight()]);
  const isAsked = ({ kind }: NotificationRow) =>
    kinds == null || kinds.some((asked) => asked.valueOf() === kind);
  const isMuted = ({ rootId, kind }: NotificationRow) =>
    rootId !== null && kind !== NotificationKind.MENTION.valueOf() && state.mutedThreads.has(rootId);
  const shown = (row: NotificationRow, checks: Checks) =>
    isAsked(row) && !isMuted(row) && isVisible(context, sight, row, checks);
  return { state, list: { ...notificationList(context.load, userId), shown } };
}

/** Whether a user may see the tweet of a notification, and at least one of those who acted. */
async function isVisible(
  context: Context,
  sight: Sight | null,
  row: NotificationRow,
  checks: Checks,
): Promise<Visible> {
  const { kind, subjectId } = row;
  const isOfTweet = subjectId !== NO_SUBJECT && kind !== NotificationKind.COMMENT.valueOf();
  const [tweet, actor] = await Promise.all([
    isOfTweet ? context.load(cachedTweets, { tweetId: subjectId }) : null,
    firstVisibleActor(context, sight, row, checks),
  ]);
  if (actor === undefined) return null;
  if (actor === null || (isOfTweet && tweet === null)) return false;
  if (tweet === null) return true;
  if (context.load.isHidden?.(tweet.authorId) === true) return false;
  const links = new Links(context, 'NOTIFICATIONS');
  if (sight?.hasWordsAt('NOTIFICATIONS') === true)
    await (tweet.quotedTweetId === null ? sight.compare([tweet]) : links.learn(sight, [seenTweet(tweet)]));
  return mayShow(sight, links.with(seenTweet(tweet)), 'NOTIFICATIONS') === null;
}

/** Creates the test whether a user may see an actor. For some users, the sight must have learned of the actor before. */
function actorTest({ load: { isHidden } }: Context, sight: Sight | null): (actor: Actor) => Visible {
  return ({ actorId }) => {
    if (isHidden?.(actorId) === true) return 'hidden';
    return mayShow(sight, { kind: 'user', authorId: actorId }, 'NOTIFICATIONS') === null || 'hidden';
  };
}

/** The actors of a notification whom a user may see. */
export async function openActors(context: Context, row: NotificationRow): Promise<List<Actor>> {
  const sight = await context.sight();
  const test = actorTest(context, sight);
  const shown = async (actor: Actor) => {
    await sight?.learn([actor.actorId]);
    return test(actor);
  };
  return {
    ...actorList(context.load, row),
    shown: sight?.mustLearnAt('NOTIFICATIONS') === true ? shown : test,
  };
}

/** The newest actor whom a user may see; null if there is none, undefined if that takes more checks than are left. */
export async function firstVisibleActor(
  context: Context,
  sight: Sight | null,
  row: NotificationRow,
  checks: Checks = { left: 1 },
): Promise<Actor | null | undefined> {
  const test = actorTest(context, sight);
  const mayBeSeen = (actor: Actor) => test(actor) === true;
  const named = actorsIn(row);
  if (sight?.mustLearnAt('NOTIFICATIONS') === true)
    await sight.learn(named.slice(0, MAX_LEARNED).map(({ actorId }) => actorId));
  const found = named.find(mayBeSeen);
  if (found !== undefined || row.actorCount <= named.length) return found ?? null;
  if (checks.left <= 0) return undefined;
  checks.left--;
  const members = await newestMembers(context.load, row.notificationId, MAX_MEMBERS_LOOKED_AT);
  return members.find(mayBeSeen) ?? null;
}

/** How many notifications the list of a user shows above what was marked as seen. */
export async function countUnread(
  context: Context,
  userId: string,
): Promise<{ readonly count: number; readonly isCapped: boolean }> {
  const { list, state } = await openNotifications(context, userId);
  const { rows, end } = await newestUntilSeen(list, state);
  return { count: Math.min(rows.length, MAX_UNREAD), isCapped: rows.length > MAX_UNREAD || end !== null };
}

/** The newest notifications of a list, up to what was marked as seen: each partition is read until then, and no older one. */
export function newestUntilSeen(
  list: List<NotificationRow>,
  state: Pick<State, 'seen'>,
): Promise<FoundRows<NotificationRow>> {
  const { seen } = state;
  const cut = (source: Source<NotificationRow>): Source<NotificationRow> => ({
    async read(slice) {
      const isReached = seen !== null && slice.after !== undefined && compareKeys(slice.after, seen) <= 0;
      return isReached ? { rows: [], end: null } : untilSeen(await source.read(slice));
    },
  });
  const untilSeen: <R extends { readonly rows: readonly NotificationRow[] }>(
    read: R,
  ) => R | { readonly rows: readonly NotificationRow[]; readonly end: null } = (read) => {
    const index = read.rows.findIndex((row) => isSeenIn(state, row));
    return index < 0 ? read : { rows: read.rows.slice(0, index), end: null };
  };
  const unseen: List<NotificationRow> = {
    ...list,
    parts: async (page) =>
      (await list.parts(page)).map((part) => ({
        start: part.start,
        sources: part.sources.map(cut),
        ...(part.begun && { begun: part.begun.map(untilSeen) }),
      })),
  };
  return collect(unseen, { limit: MAX_UNREAD, backwards: false, from: null });
}
