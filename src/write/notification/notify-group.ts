import { runShared } from '../../kit/base/shared-runs';
import { decideUntilWritten } from '../../kit/cassandra/decide';
import type { Grouping } from '../../features/notification/group-id';
import {
  changeGroup,
  isOver,
  MAX_ACTS_AT_ONCE,
  newestNumber,
  readGroup,
  recordNewest,
  type Group,
  type GroupedAct,
} from './group';
import { pauseAmong } from '../../kit/base/pace';
import type { WriteServices } from '../write-services';
import { storeGroup, unlistGroup, type ListingServices } from './list-group';

/** The least time, in milliseconds, between two changes that a server makes of one grouping: acts that come meanwhile share the next one. */
const PAUSE_MS = 200;

/** The subject and receiver of a notification about acts. */
interface Notified extends Grouping {
  /** The root of the thread of the tweet. */
  readonly rootId: string | null;
}

/** An act that stands, and what it notifies of. */
export interface Fact {
  readonly notified: Notified;
  readonly act: GroupedAct;
}

/** The circumstances of an act. */
export interface HowItComes {
  /** Whether it may have been done before, by a server that was interrupted. */
  readonly isRepeated: boolean;
  /** Whether it is the only one of its grouping, most likely. */
  readonly isFirst?: boolean;
}

type AskedAct = GroupedAct & HowItComes;

/**
 * Makes the notifications of a user equal to an act: it is in one group, or in none if it was taken back. Acts of one grouping that come at
 * the same time share a transaction, so that a tweet which thousands like in a minute has some transactions a second, however many likes
 * and servers. For a repeated act, this also stores again the rows that a server may have left out. Resolves to the groups that were stored.
 */
export async function notifyOfAct(
  services: ListingServices & Pick<WriteServices, 'worker'>,
  notified: Notified,
  act: GroupedAct,
  how: HowItComes,
): Promise<readonly Group[]> {
  const pauseMs = pauseAmong(services.worker.helpers() + 1, PAUSE_MS);
  return shareRun(services, notified, { ...act, ...how }, pauseMs);
}

async function shareRun(
  services: ListingServices,
  notified: Notified,
  act: AskedAct,
  pauseMs: number,
): Promise<readonly Group[]> {
  const { userId, kind, subjectId } = notified;
  if (act.actorId === userId) return [];
  const key = `notifications ${userId} ${kind} ${subjectId}`;
  const place = async (all: readonly AskedAct[]) => {
    const stored = new Map<string, Group>();
    for (let n = 0; n < all.length; n += MAX_ACTS_AT_ONCE)
      await placeActs(services, notified, all.slice(n, n + MAX_ACTS_AT_ONCE), stored);
    return [...stored.values()];
  };
  return runShared(services.database, key, act, place, pauseMs);
}

/**
 * Places acts in the first group of their grouping or, once that is closed, wherever they are or in the newest group. New acts that are too far
 * apart for one group are placed one group after the other: otherwise each would try one group after the other, by a transaction each.
 * Adds the groups to `stored`, by their ids.
 */
async function placeActs(
  services: ListingServices,
  notified: Notified,
  acts: readonly AskedAct[],
  stored: Map<string, Group>,
): Promise<void> {
  const change = (number: number, some: readonly GroupedAct[]) =>
    changeAndStore(services, notified, number, some, acts, stored);
  let left: readonly GroupedAct[] = await change(0, lastOfEach(acts));
  while (left.length > 0) {
    const newest = await openNumber(services, notified);
    const [first] = left;
    const fits = ({ present, since }: GroupedAct) => !present || !isOver(first?.since ?? null, since);
    const later = left.filter((act) => !fits(act));
    const numbered = await Promise.all(
      left.filter(fits).map(async (act) => {
        const number = await numberOf(services, notified, act.actorId, null, newest);
        return { act, number };
      }),
    );
    const byNumber = new Map<number, GroupedAct[]>();
    for (const { act, number } of numbered) byNumber.set(number, [...(byNumber.get(number) ?? []), act]);
    const closed: GroupedAct[] = [];
    for (const [number, some] of byNumber) {
      const others = await change(number, some);
      for (const act of others) {
        closed.push(act);
        await numberOf(services, notified, act.actorId, number, Math.max(newest, number + 1));
      }
    }
    left = [...closed, ...later];
  }
}

/** Returns the latest act of each actor. */
function lastOfEach(acts: readonly AskedAct[]): GroupedAct[] {
  const last = new Map<string, GroupedAct>();
  for (const act of acts) {
    const other = last.get(act.actorId);
    if (other === undefined || other.changedAt < act.changedAt) last.set(act.actorId, act);
  }
  return [...last.values()];
}

/** Changes a group, and the list of the user. Resolves to the acts that the group does not take. */
async function changeAndStore(
  services: ListingServices,
  notified: Notified,
  number: number,
  acts: readonly GroupedAct[],
  asked: readonly AskedAct[],
  stored: Map<string, Group>,
): Promise<readonly GroupedAct[]> {
  const [{ present, isFirst = false } = { present: false }] = asked;
  const changed = await changeGroup(
    services.database,
    notified,
    number,
    acts,
    (group, listedAt) => unlistGroup(services, group, listedAt),
    number === 0 && asked.length === 1 && present && isFirst,
  );
  const { group, isChanged, isListed, only, left } = changed;
  const repeated = asked.filter((act) => act.isRepeated);
  if (group && (isChanged || repeated.length > 0)) {
    stored.set(group.groupId, group);
    await storeGroup(services, group, {
      isMoved: isListed || repeated.length > 0,
      isNews: isListed || repeated.some(({ present }) => present),
      only,
    });
  }
  return left;
}

/** Finds the number of a group that takes members, as far as can be told before it is changed. The group may not have begun. */
async function openNumber({ database }: ListingServices, notified: Notified): Promise<number> {
  const recorded = Math.max(1, await newestNumber(database, notified));
  for (let number = recorded; ; number++) {
    const group = await readGroup(database, notified, number);
    if (group === null) await recordNewest(database, notified, number);
    if (group?.isClosed !== true) return number;
  }
}

const keyOfMember = 'WHERE user_id = ? AND kind = ? AND subject_id = ? AND actor_id = ?';
const readNumber = `SELECT number FROM notification_members ${keyOfMember}`;
const putNumber = `UPDATE notification_members SET number = ? ${keyOfMember} IF number = ?`;

/** Finds the number of the group that an act is in. If that is `instead`, which does not take the act, or none, it becomes `newest`. */
function numberOf(
  { database }: ListingServices,
  { userId, kind, subjectId }: Notified,
  actorId: string,
  instead: number | null,
  newest: number,
): Promise<number> {
  const key = [userId, kind, subjectId, actorId];
  return decideUntilWritten(database, { cql: readNumber, params: key }, (rows) => {
    const [{ number = null } = {}] = rows as { readonly number?: number | null }[];
    return number !== instead
      ? { writes: [], result: number ?? newest }
      : { writes: [{ query: putNumber, params: [newest, ...key, number] }], result: newest };
  });
}

/** Tells of acts of the past that stand, as they were done: in the order of their times, so that they fill one group after the other. */
export async function notifyOfPast(services: ListingServices, facts: readonly Fact[]): Promise<void> {
  const inOrder = facts.toSorted((one, other) => Number(one.act.since) - Number(other.act.since));
  await Promise.all(
    inOrder.map(({ notified, act }) =>
      shareRun(services, notified, { ...act, listedAt: act.since, isRepeated: false }, 0),
    ),
  );
}
