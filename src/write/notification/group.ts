import { decideUntilWritten, type Decision } from '../../kit/cassandra/decide';
import type { Database, Write } from '../../kit/cassandra/database';
import { isGroupedKind } from '../../features/notification/notification-kind';
import type { notificationGroups } from '../../features/notification/notification.table';
import type { Row } from '../../kit/cassandra/table';
import { groupId, type Grouping } from '../../features/notification/group-id';
import { isWrong, membersIn } from './group-members';
import { GROUP_MS, listingAfter, MAX_GROUP_MEMBERS, type Listing } from './group-listing';

/** An act that a group has as a member, or that was taken back. */
export interface GroupedAct {
  readonly actorId: string;
  /** Whether the act stands. */
  readonly present: boolean;
  /** When it was last done. */
  readonly since: Date;
  /** The time when it was last done or taken back. The latest of several changes of one act decides, in whatever order they come. */
  readonly changedAt: Date;
  /** When it is listed, if not now: an act of the past that is told again. */
  readonly listedAt?: Date;
}

/** A group as it is now. */
export interface Group extends Grouping, Listing {
  readonly groupId: string;
  readonly number: number;
  readonly rootId: string | null;
  /** Grows with each change. */
  readonly version: number;
  readonly memberCount: number;
  /** How many have ever been in it. */
  readonly taken: number;
  /** When its first act was done. */
  readonly firstAt: Date;
  readonly isClosed: boolean;
}

/** The result of changing a group. */
interface ChangedGroup {
  /** The group after the change; null if there is none, because nobody ever was in it. */
  readonly group: Group | null;
  /** Whether this call has changed it, or may have. */
  readonly isChanged: boolean;
  /** Whether this call has listed it anew, or may have. */
  readonly isListed: boolean;
  /** The act of its only member, if this call has made somebody that. */
  readonly only: GroupedAct | null;
  /** The acts that another group must take, because this one takes no more members. */
  readonly left: readonly GroupedAct[];
}

/** The most rows of a group: two a member, and those of the group itself; also those of some who came at the same moment. */
export const MAX_GROUP_ROWS = 2 * MAX_GROUP_MEMBERS + 1000;

/** The most acts that one transaction makes members. */
export const MAX_ACTS_AT_ONCE = 50;

/** The rows of section 0 have no time of their own. */
const NO_TIME = new Date(0);
/** The row of the group itself, and the one that says which group is the newest of its grouping: no user has such an id. */
const GROUP_ROW = '-1';
const NEWEST_ROW = '-2';

const memberKey = 'WHERE group_id = ? AND section = 0 AND at = ? AND actor_id = ?';
const actorKey = 'WHERE group_id = ? AND section = 1 AND at = ? AND actor_id = ?';
const readRows =
  'SELECT CAST(actor_id AS text) AS actor, present, since, changed_at AS changed, number, CAST(root_id AS text) AS root, version, member_count AS members, taken, first_at AS first, listed_at AS listed, listed_count AS step, before_at AS before, is_closed AS closed FROM notification_groups WHERE group_id = ? AND section = 0 AND at = ? AND actor_id IN ?';
const readAll =
  'SELECT section, at, CAST(actor_id AS text) AS actor, present, since, changed_at AS changed, number, CAST(root_id AS text) AS root, version, member_count AS members, taken, first_at AS first, listed_at AS listed, listed_count AS step, before_at AS before, is_closed AS closed FROM notification_groups WHERE group_id = ?';
const putGroup = `UPDATE notification_groups SET user_id = ?, kind = ?, subject_id = ?, number = ?, root_id = ?, version = ?, member_count = ?, taken = ?, first_at = ?, listed_at = ?, listed_count = ?, before_at = ?, is_closed = ? ${memberKey} IF version = ?`;
const putMember = `UPDATE notification_groups SET present = ?, since = ?, changed_at = ? ${memberKey}`;
const putActor = `UPDATE notification_groups SET present = true ${actorKey}`;
const removeActor = `DELETE FROM notification_groups ${actorKey}`;
const putNewest = `UPDATE notification_groups USING TIMESTAMP ? SET number = ? ${memberKey}`;

interface StoredRow {
  readonly actor: string;
  readonly present: boolean | null;
  readonly since: Date | null;
  readonly changed: Date | null;
  readonly number: number | null;
  readonly root: string | null;
  readonly version: number | null;
  readonly members: number | null;
  readonly taken: number | null;
  readonly first: Date | null;
  readonly listed: Date | null;
  readonly step: number | null;
  readonly before: Date | null;
  readonly closed: boolean | null;
}

/**
 * Makes acts members of a group, or takes them back, by one lightweight transaction, at most `MAX_ACTS_AT_ONCE` of different actors. A group
 * takes new members within 12 hours of its first act, and 10,000 at most; then it is closed for good. Repeating a change changes
 * nothing. `clear` removes the group from where it was listed before its last move: only the group says where that was. `isNew`: most likely
 * there is no such group yet. The transaction finds out if that is wrong.
 */
export function changeGroup(
  database: Database,
  grouping: Grouping & Pick<Group, 'rootId'>,
  number: number,
  acts: readonly GroupedAct[],
  clear: (group: Group, listedAt: Date) => Promise<void>,
  isNew = false,
): Promise<ChangedGroup> {
  const id = groupId(grouping, number);
  const question = {
    cql: readRows,
    params: [id, NO_TIME, [GROUP_ROW, ...acts.map(({ actorId }) => actorId)]],
    ahead: isNew ? Promise.resolve([]) : undefined,
  };
  let isTried = false;
  return decideUntilWritten(database, question, async (found): Promise<Decision<ChangedGroup>> => {
    const rows = new Map((found as StoredRow[]).map((row) => [row.actor, row]));
    const before = groupIn(rows.get(GROUP_ROW), grouping, id);
    // An attempt whose outcome is unknown may have made the change, and then the next one finds nothing to do.
    const isDone =
      isTried && acts.some((act) => Number(rows.get(act.actorId)?.changed) === Number(act.changedAt));
    const change = applyActs(before, rows, acts, id);
    const { members, taken, firstAt, isClosed, left, added, writes } = change;
    if (writes.length === 0 && isClosed === (before?.isClosed ?? false))
      return {
        writes: [],
        result: { group: before, isChanged: isDone, isListed: isDone, only: null, left },
      };
    const listing = listingAfter(
      before ?? { listedAt: null, beforeAt: null, listedCount: 0 },
      members,
      acts.findLast((act) => !left.includes(act))?.listedAt ?? new Date(),
    );
    if (before?.beforeAt != null && listing.beforeAt !== before.beforeAt)
      await clear(before, before.beforeAt);
    const group: Group = {
      ...{ ...grouping, ...listing, groupId: id, number, rootId: before?.rootId ?? grouping.rootId },
      ...{ version: (before?.version ?? 0) + 1, memberCount: members, taken, firstAt, isClosed },
    };
    const isListed = isDone || Number(group.listedAt) !== Number(before?.listedAt ?? null);
    isTried = true;
    return {
      writes: [...writes, groupWrite(group, before?.version ?? null)],
      result: { group, isChanged: true, isListed, only: members === 1 ? added : null, left },
    };
  });
}

/** Applies acts to a group. */
function applyActs(
  before: Group | null,
  rows: ReadonlyMap<string, StoredRow>,
  acts: readonly GroupedAct[],
  id: string,
) {
  const writes: Pick<Write, 'query' | 'params'>[] = [];
  const left: GroupedAct[] = [];
  let { memberCount: members, taken } = before ?? { memberCount: 0, taken: 0 };
  let isClosed = before?.isClosed ?? false;
  let firstAt = before?.firstAt ?? null;
  let added: GroupedAct | null = null;
  for (const act of acts) {
    const { actorId, present, since, changedAt } = act;
    const row = rows.get(actorId);
    if (row?.changed != null && row.changed >= changedAt) continue;
    const was = row?.present === true;
    // A member can always leave a group. An actor who is no member of a closed group is, or will be, in another one. The same holds for a
    // member who does the act again when the group takes no new members any more.
    const isElsewhere =
      row === undefined
        ? isClosed || isFull(taken, firstAt, since)
        : isClosed
          ? present || !was
          : present && Number(row.since) !== Number(since) && isOver(firstAt, since);
    if (isElsewhere) {
      isClosed = true;
      left.push(act);
      if (was && row.since) {
        members--;
        const until = new Date(changedAt.getTime() - 1);
        writes.push({ query: putMember, params: [false, row.since, until, id, NO_TIME, actorId] });
        writes.push({ query: removeActor, params: [id, row.since, actorId] });
      }
      continue;
    }
    firstAt ??= since;
    taken += Number(row === undefined);
    members += Number(present) - Number(was);
    writes.push({ query: putMember, params: [present, since, changedAt, id, NO_TIME, actorId] });
    if (was && row.since && (!present || Number(row.since) !== Number(since)))
      writes.push({ query: removeActor, params: [id, row.since, actorId] });
    if (!present) continue;
    writes.push({ query: putActor, params: [id, since, actorId] });
    added = act;
  }
  return { writes, left, members, taken, isClosed, added, firstAt: firstAt ?? NO_TIME };
}

function isFull(taken: number, firstAt: Date | null, since: Date): boolean {
  return taken >= MAX_GROUP_MEMBERS || isOver(firstAt, since);
}

/** Whether an act was done too long after, or before, the first one of a group; false if there is none. */
export function isOver(firstAt: Date | null, since: Date): boolean {
  return firstAt !== null && Math.abs(Number(since) - Number(firstAt)) >= GROUP_MS;
}

function groupWrite(group: Group, version: number | null): Pick<Write, 'query' | 'params'> {
  const { userId, kind, subjectId, number, rootId, memberCount, taken, firstAt, isClosed } = group;
  const { listedAt, listedCount, beforeAt } = group;
  return {
    query: putGroup,
    params: [
      ...[userId, kind, subjectId, number, rootId ?? undefined, group.version, memberCount, taken, firstAt],
      ...[listedAt ?? undefined, listedCount, beforeAt ?? undefined, isClosed],
      ...[group.groupId, NO_TIME, GROUP_ROW, version],
    ],
  };
}

function groupIn(row: StoredRow | undefined, grouping: Grouping, id: string): Group | null {
  if (row?.version == null) return null;
  const { userId, kind, subjectId } = grouping;
  return {
    ...{ userId, kind, subjectId, groupId: id, number: row.number ?? 0, rootId: row.root },
    ...{ version: row.version, memberCount: row.members ?? 0, taken: row.taken ?? 0 },
    ...{ firstAt: row.first ?? NO_TIME, isClosed: row.closed ?? false },
    ...{ listedAt: row.listed, beforeAt: row.before, listedCount: row.step ?? 0 },
  };
}

/** Takes all members from a group, for good. Resolves to the group after that; null if nobody ever was in it. */
export function endGroup(database: Database, grouping: Grouping, number: number): Promise<Group | null> {
  const id = groupId(grouping, number);
  const question = { cql: readRows, params: [id, NO_TIME, [GROUP_ROW]] };
  return decideUntilWritten(database, question, (found): Decision<Group | null> => {
    const group = groupIn((found as StoredRow[])[0], grouping, id);
    if (group === null || (group.isClosed && group.memberCount === 0)) return { writes: [], result: group };
    const ended = { ...group, memberCount: 0, isClosed: true, version: group.version + 1 };
    return { writes: [groupWrite(ended, group.version)], result: ended };
  });
}

/** The group that a row of its table tells; null if that row is another. */
export function groupOfRow(row: Row<typeof notificationGroups>): Group | null {
  const { kind, userId, subjectId, version, actorId } = row;
  if (
    actorId !== GROUP_ROW ||
    !isGroupedKind(kind) ||
    userId === null ||
    subjectId === null ||
    version === null
  )
    return null;
  return {
    ...{ userId, kind, subjectId, groupId: row.groupId, number: row.number ?? 0, rootId: row.rootId },
    ...{ version, memberCount: row.memberCount ?? 0, taken: row.taken ?? 0, firstAt: row.firstAt ?? NO_TIME },
    ...{ isClosed: row.isClosed ?? false, listedAt: row.listedAt, beforeAt: row.beforeAt },
    listedCount: row.listedCount ?? 0,
  };
}

/** A group whose own row was lost gets this version, which is greater than that which it had. */
const VERSION_OF_REPAIRED = 1_000_000;

/**
 * Makes the row of a group, and its members by time, equal to its members by id. This is only needed if rows were lost. Resolves to the
 * group.
 */
export function repairGroup(
  database: Database,
  grouping: Grouping & Pick<Group, 'rootId'>,
  number: number,
): Promise<Group | null> {
  const id = groupId(grouping, number);
  return decideUntilWritten(database, { cql: readAll, params: [id] }, (found): Decision<Group | null> => {
    const rows = found as (StoredRow & { readonly section: number; readonly at: Date })[];
    const read = membersIn(rows.map((row) => ({ ...row, actorId: row.actor })));
    const { known, members, unlisted, stray } = read;
    const before = groupIn(
      rows.find(({ actor }) => actor === GROUP_ROW),
      grouping,
      id,
    );
    const writes = [
      ...unlisted.map(({ since, actor }) => ({ query: putActor, params: [id, since, actor] })),
      ...stray.map(({ at, actor }) => ({ query: removeActor, params: [id, at, actor] })),
    ];
    if (known.length === 0 && before === null) return { writes: [], result: null };
    if (before !== null && !isWrong(read, before.memberCount)) return { writes: [], result: before };
    const times = known.map(({ since }) => Number(since));
    const lost = { listedAt: null, beforeAt: null, listedCount: 0 };
    const group: Group = {
      ...(before ?? {
        ...grouping,
        groupId: id,
        number,
        isClosed: false,
        firstAt: new Date(Math.min(...times)),
      }),
      ...(before ?? listingAfter(lost, members.length, new Date(Math.max(...times)))),
      ...{ rootId: grouping.rootId, version: (before?.version ?? VERSION_OF_REPAIRED) + 1 },
      ...{ memberCount: members.length, taken: Math.max(before?.taken ?? 0, known.length) },
    };
    return { writes: [...writes, groupWrite(group, before?.version ?? null)], result: group };
  });
}

/** The number of the newest group of a grouping, as far as that was recorded: it may be closed meanwhile. */
export async function newestNumber(database: Database, grouping: Grouping): Promise<number> {
  const params = [groupId(grouping, 0), NO_TIME, [NEWEST_ROW]];
  const [row] = (await database.read(readRows, params)) as StoredRow[];
  return row?.number ?? 0;
}

/** Records that a group has begun. Its number is the write time, so that the newest stays. */
export async function recordNewest(database: Database, grouping: Grouping, number: number): Promise<void> {
  await database.write(putNewest, [String(number), number, groupId(grouping, 0), NO_TIME, NEWEST_ROW]);
}

/** Reads a group; null if nobody ever was in it. */
export async function readGroup(
  database: Database,
  grouping: Grouping,
  number: number,
): Promise<Group | null> {
  const id = groupId(grouping, number);
  const [row] = (await database.read(readRows, [id, NO_TIME, [GROUP_ROW]])) as StoredRow[];
  return groupIn(row, grouping, id);
}
