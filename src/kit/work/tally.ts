import { flag, idOf, int, label, optional, timestamp } from '../cassandra/column';
import { asError } from '../base/errors';
import { shardOf } from '../base/shard-of';
import { isRunning, runShared } from '../base/shared-runs';
import type { Database, Write } from '../cassandra/database';
import { decideUntilWritten, type Decision, type Question } from '../cassandra/decide';
import { table } from '../cassandra/table';

/** How many shards the members of an owner are split into. */
export const TALLY_SHARDS = 16;

/** The members of an owner's lists, and how many of them mutations have added. The row of `member` 0 also holds the list's count. */
export const tallies = table(
  'tallies',
  {
    owner: idOf('User', 'Tweet', 'Article'),
    shard: int,
    member: idOf('User', 'Tweet', 'Comment'),
    list: label,
    present: optional(flag),
    since: optional(timestamp),
    at: optional(timestamp),
    item: optional(idOf('Tweet')),
    count: optional(int),
    version: optional(int),
  },
  {
    role: { kind: 'truth', why: 'it decides who likes or shares what, and holds the counts of mutations' },
    writeLoad: [
      // A transaction writes a member and the count.
      {
        what: 'of others',
        rows: { like: 2, follow: 2, share: 2, reply: 2, quote: 2 },
        transactions: { like: 1, follow: 1, share: 1, reply: 1, quote: 1 },
        bytes: 45,
        spread: { over: 'subjects', shards: TALLY_SHARDS },
      },
      {
        what: 'followees',
        rows: { follow: 2 },
        transactions: { follow: 1 },
        bytes: 45,
        spread: { over: 'people', shards: TALLY_SHARDS },
      },
      // They are in one shard.
      {
        what: 'posts',
        rows: { tweet: 2 },
        transactions: { tweet: 1 },
        bytes: 45,
        spread: { over: 'people' },
      },
      // A server counts the tweets that it gets within a tenth of a second together, in a shard of its own.
      {
        what: 'minutes',
        rows: { tweet: 1 },
        transactions: { countedGroup: 1 },
        bytes: 45,
        spread: { over: 'time', seconds: 60, shards: TALLY_SHARDS },
      },
    ],
    partition: ['owner', 'shard'],
    clustering: ['member', 'list'],
    order: 'asc',
  },
);
/** The shard of lists that only their owner changes. They need no others, and so their number of members is in one row. */
export const OWNERS_SHARD = 0;
/** Returns the shard of an owner that a member is in. */
export function tallyShardOf(member: string): number {
  return shardOf(member, TALLY_SHARDS);
}

/** A change of a membership: the member is to be in the list, or not to be in it. */
export interface Change {
  readonly owner: string;
  readonly list: string;
  readonly member: string;
  readonly present: boolean;
  /** The shard of the member, if it does not follow from the member's id. It must be the same for all changes of the member. */
  readonly shard?: number;
  /** The time of the change, if it was decided elsewhere: it has no effect if the membership has changed since. Now by default. */
  readonly at?: Date;
  /** An id to store with the membership when the member is added. */
  readonly item?: string;
  /** The change has no effect if the membership has another item. */
  readonly ifItem?: string;
  /** Whether a member without a stored membership counts as present. An imported one does. */
  readonly unlessKnown?: boolean;
  /** Removes the rows of the previous membership when a member is added again: only that membership names them. */
  readonly clear?: (before: Membership) => Promise<void>;
}

/** The membership of a member in a list. */
export interface Membership {
  readonly present: boolean;
  /** When the member was last added; it may have been removed since. */
  readonly since: Date | null;
  /** When the member was last added or removed. */
  readonly at: Date | null;
  readonly item: string | null;
}

/** The result of a change. */
interface Changed extends Membership {
  /** How many members the list has in the shard of the member. */
  readonly ofShard: ShardCount;
}

/** How many members a list has in a shard. The version grows with each change of that: of two, the newer is greater; 0 if nothing was ever changed. */
export interface ShardCount {
  readonly count: number;
  readonly version: number;
}

/** How many members mutations have added to each list of an owner, minus those that they have removed. */
interface Totals {
  readonly counts: ReadonlyMap<string, number>;
  /** Grow with each change of a list: of two totals, the one with the greater version is newer. */
  readonly versions: ReadonlyMap<string, number>;
  /** The sum of these. */
  readonly version: number;
}

/**
 * Lists of members with exact counts. A membership and the count change in one lightweight transaction, so the count always
 * matches the members, whatever fails. Changes of one partition that are requested together share a transaction.
 */
export interface Tally {
  /** Makes a change unless it was made already. Resolves to the membership after it. `ahead` saves a read. */
  change(change: Change, ahead?: Ahead): Promise<Changed>;
  /**
   * Reads the rows that a change depends on, while the caller still does something else. Returns undefined if the change will share a
   * transaction.
   */
  readAhead(change: Change): Ahead | undefined;
  /**
   * Guesses what `readAhead` would read before a member is added: that it never was in the list, and how many others are. The transaction
   * compares all of it, so a wrong guess costs time, but changes nothing.
   */
  guessAhead(change: Change, ofShard: Promise<ShardCount>): Ahead | undefined;
  /** Reads a membership; null if none is stored. */
  membership(owner: string, list: string, member: string): Promise<Membership | null>;
  /** Reads the memberships of a member in the lists of an owner, by list. */
  memberships(owner: string, member: string, shard?: number): Promise<ReadonlyMap<string, Membership>>;
  /** Reads the counts of an owner's lists. */
  totals(owner: string): Promise<Totals>;
}

/** The rows that were read, or guessed, before a change. A transaction is made again if others have changed them since. */
export interface Ahead {
  readonly rows: Promise<readonly object[]>;
  readonly isGuess: boolean;
}

const MAX_CHANGES_AT_ONCE = 50;

const partition = 'WHERE owner = ? AND shard = ?';
const readMembers = `SELECT CAST(member AS text) AS member, list, present, since, at, CAST(item AS text) AS item, count, version FROM tallies ${partition} AND member IN ?`;
const readCounts = 'SELECT list, count, version FROM tallies WHERE owner = ? AND shard IN ? AND member = 0';
const putMember = `UPDATE tallies SET present = ?, since = ?, at = ?, item = ? ${partition} AND member = ? AND list = ?`;
const putCount = `UPDATE tallies SET count = ?, version = ? ${partition} AND member = 0 AND list = ? IF version = ?`;
/** The same if what was guessed is true. */
const putFirst = `${putMember} IF at = NULL`;
const putCountAfter = `${putCount} AND count = ?`;

/** A change that waits for its transaction. */
interface WaitingChange {
  readonly change: Change;
  readonly ahead: Ahead | undefined;
}

interface TallyRow extends Partial<Membership> {
  readonly member: string;
  readonly list: string;
  readonly count: number | null;
  readonly version: number | null;
}

/** Creates a tally. A process should have only one, because it combines the changes of one partition. */
export function createTally(database: Database): Tally {
  const readMemberships = async (owner: string, member: string, shard = tallyShardOf(member)) => {
    const rows = (await database.readSerial(readMembers, [owner, shard, [member]])) as TallyRow[];
    return new Map(
      rows.flatMap((row): [string, Membership][] => {
        const membership = membershipIn(row);
        return membership === null ? [] : [[row.list, membership]];
      }),
    );
  };
  return {
    async change(change, ahead) {
      const { owner, shard = tallyShardOf(change.member) } = change;
      const key = keyOf(owner, shard);
      // A change that waits for another one of its partition must read what that one wrote.
      const waiting: WaitingChange = { change, ahead: isRunning(database, key) ? undefined : ahead };
      const work = (all: readonly WaitingChange[]) => makeChanges(database, owner, shard, all);
      const made = (await runShared(database, key, waiting, work)).get(waiting);
      if (made instanceof Error || made === undefined) throw asError(made);
      return made;
    },
    readAhead(change) {
      const { owner, shard = tallyShardOf(change.member) } = change;
      if (isRunning(database, keyOf(owner, shard))) return undefined;
      const { cql, params } = questionOf(owner, shard, [change]);
      const rows = database.read(cql, params);
      // The change may never be made.
      rows.catch(() => undefined);
      return { rows, isGuess: false };
    },
    guessAhead({ owner, list, member, shard = tallyShardOf(member), present, ifItem }, ofShard) {
      // The change may never be made.
      ofShard.catch(() => undefined);
      const isAddition = present && ifItem === undefined;
      if (!isAddition || isRunning(database, keyOf(owner, shard))) return undefined;
      const rows = ofShard.then(({ count, version }) =>
        version === 0 ? [] : [{ member: '0', list, count, version }],
      );
      rows.catch(() => undefined);
      return { rows, isGuess: true };
    },
    async membership(owner, list, member) {
      return (await readMemberships(owner, member)).get(list) ?? null;
    },
    memberships: readMemberships,
    async totals(owner) {
      const shards = Array.from({ length: TALLY_SHARDS }, (_, shard) => shard);
      const counts = new Map<string, number>();
      const versions = new Map<string, number>();
      let sum = 0;
      for (const row of (await database.read(readCounts, [owner, shards])) as TallyRow[]) {
        const { list, count, version } = row;
        counts.set(list, (counts.get(list) ?? 0) + (count ?? 0));
        versions.set(list, (versions.get(list) ?? 0) + (version ?? 0));
        sum += version ?? 0;
      }
      return { counts, versions, version: sum };
    },
  };
}

/** The key under which the changes of a partition share transactions. */
function keyOf(owner: string, shard: number): string {
  return `tally ${owner} ${shard}`;
}

/** Makes changes of one partition by as few transactions as possible. Tells each its result. */
async function makeChanges(
  database: Database,
  owner: string,
  shard: number,
  waiting: readonly WaitingChange[],
): Promise<ReadonlyMap<WaitingChange, Changed | Error>> {
  const made = new Map<WaitingChange, Changed | Error>();
  while (made.size < waiting.length) {
    const batch = distinct(waiting.filter((one) => !made.has(one)));
    const changes = batch.map(({ change }) => change);
    const ahead = batch.length === 1 ? batch[0]?.ahead : undefined;
    const changed = await apply(database, questionOf(owner, shard, changes), changes, ahead).catch(asError);
    batch.forEach((one, index) => {
      made.set(one, changed instanceof Error ? changed : (changed[index] ?? neverChanged));
    });
  }
  return made;
}

/** The changes that one transaction can make: at most one for each membership. */
function distinct(waiting: readonly WaitingChange[]): readonly WaitingChange[] {
  const taken = new Map<string, WaitingChange>();
  for (const one of waiting) {
    const key = `${one.change.member} ${one.change.list}`;
    if (taken.size < MAX_CHANGES_AT_ONCE && !taken.has(key)) taken.set(key, one);
  }
  return [...taken.values()];
}

/** Returns the read for changes of one partition: its members that change, and its counts. */
function questionOf(
  owner: string,
  shard: number,
  changes: readonly Change[],
): Question & { readonly params: readonly [string, number, readonly string[]] } {
  const members = [...new Set(['0', ...changes.map(({ member }) => member)])];
  return { cql: readMembers, params: [owner, shard, members] };
}

function apply(
  database: Database,
  question: ReturnType<typeof questionOf>,
  changes: readonly Change[],
  ahead?: Ahead,
): Promise<Changed[]> {
  const [owner, shard] = question.params;
  // Only the first attempt uses the rows that were read ahead.
  let isGuess = ahead?.isGuess ?? false;
  // All attempts use one time: after an unknown outcome, the next attempt recognises its own writes by it.
  const now = new Date();
  const asked = { ...question, ahead: ahead?.rows };
  return decideUntilWritten(database, asked, async (rows): Promise<Decision<Changed[]>> => {
    const isGuessed = isGuess;
    isGuess = false;
    const clearings: Promise<void>[] = [];
    const writes: Pick<Write, 'query' | 'params'>[] = [];
    const deltas = new Map<string, number>();
    const found = new Map((rows as TallyRow[]).map((row) => [`${row.member} ${row.list}`, row]));
    const memberships = changes.map((change) => {
      const { member, list, present } = change;
      const before = membershipIn(found.get(`${member} ${list}`));
      const after = membershipAfter(before, change, now);
      if (after === null) return before ?? neverMember;
      const { since, at, item } = after;
      if (change.clear && before?.since && present && !before.present) clearings.push(change.clear(before));
      writes.push({
        query: isGuessed ? putFirst : putMember,
        params: [present, since, at, item ?? undefined, owner, shard, member, list],
      });
      const was = before?.present ?? change.unlessKnown ?? false;
      deltas.set(list, (deltas.get(list) ?? 0) + Number(present) - Number(was));
      return after;
    });
    const ofShard = new Map<string, Changed['ofShard']>();
    for (const { list } of changes) {
      if (ofShard.has(list)) continue;
      const { count, version } = found.get(`0 ${list}`) ?? { count: null, version: null };
      const delta = deltas.get(list);
      const after = {
        count: (count ?? 0) + (delta ?? 0),
        version: (version ?? 0) + (delta === undefined ? 0 : 1),
      };
      ofShard.set(list, after);
      if (delta === undefined) continue;
      const params = [after.count, after.version, owner, shard, list, version];
      writes.push(
        isGuessed ? { query: putCountAfter, params: [...params, count] } : { query: putCount, params },
      );
    }
    await Promise.all(clearings);
    const result = memberships.map((membership, index) => ({
      ...membership,
      ofShard: ofShard.get(changes[index]?.list ?? '') ?? neverChanged.ofShard,
    }));
    return { writes, result };
  });
}

/** Returns the membership after a change; null if the change has no effect, because it was made already or a later one was. */
function membershipAfter(before: Membership | null, change: Change, now: Date): Membership | null {
  const last = before?.at ?? null;
  if (change.ifItem !== undefined && before?.item !== change.ifItem) return null;
  if (change.at !== undefined) {
    if (last !== null && last >= change.at) return null;
  } else if ((before?.present ?? false) === change.present) {
    return null;
  }
  const at = change.at ?? (last !== null && last >= now ? new Date(last.getTime() + 1) : now);
  const isAdded = change.present && !(before?.present ?? false);
  return {
    present: change.present,
    since: isAdded ? at : (before?.since ?? null),
    at,
    item: isAdded ? (change.item ?? null) : (before?.item ?? null),
  };
}

const neverMember: Membership = { present: false, since: null, at: null, item: null };
const neverChanged: Changed = { ...neverMember, ofShard: { count: 0, version: 0 } };

/** Reads a membership from a row; null if the row has none, because a row of member 0 may hold only a count. */
function membershipIn(row: TallyRow | undefined): Membership | null {
  if (row?.at == null) return null;
  const { present, since, at, item } = row;
  return { present: present ?? false, since: since ?? null, at, item: item ?? null };
}
