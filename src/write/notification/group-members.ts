/** A row of a group, as far as it tells of members. */
interface MemberRow {
  readonly section: number;
  readonly at: Date;
  readonly actorId: string;
  readonly present: boolean | null;
  readonly since: Date | null;
}

/** The members of a group as its rows say. */
interface GroupMembers<R> {
  /** The rows by ids, also of those who have left. */
  readonly known: readonly R[];
  readonly members: readonly R[];
  /** Members whose row by time is missing. */
  readonly unlisted: readonly R[];
  /** Rows by time of nobody who is a member since then. */
  readonly stray: readonly R[];
}

/** Finds the members in the rows of a group. The rows by id are facts; the rows by time are derived from them. */
export function membersIn<R extends MemberRow>(rows: readonly R[]): GroupMembers<R> {
  const keyOf = (at: Date | null, actorId: string) => `${Number(at)} ${actorId}`;
  // The group itself has negative ids.
  const known = rows.filter(({ section, actorId }) => section === 0 && !actorId.startsWith('-'));
  const members = known.filter(({ present }) => present === true);
  const listed = rows.filter(({ section }) => section === 1);
  const wanted = new Set(members.map(({ since, actorId }) => keyOf(since, actorId)));
  const there = new Set(listed.map(({ at, actorId }) => keyOf(at, actorId)));
  return {
    known,
    members,
    unlisted: members.filter(({ since, actorId }) => !there.has(keyOf(since, actorId))),
    stray: listed.filter(({ at, actorId }) => !wanted.has(keyOf(at, actorId))),
  };
}

/** Whether the rows by time, and the number of members that a group tells, differ from its members; null: the group tells nothing. */
export function isWrong(
  { members, unlisted, stray }: GroupMembers<unknown>,
  memberCount: number | null,
): boolean {
  return unlisted.length + stray.length > 0 || (memberCount ?? 0) !== members.length;
}
