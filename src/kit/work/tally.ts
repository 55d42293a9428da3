import { flag, id, int, optional, text, timestamp } from '../cassandra/column';
import { shardOf } from '../base/shard-of';
import type { Database, Write } from '../cassandra/database';
import { decideUntilWritten, type Decision } from '../cassandra/decide';
import type { Statement } from '../cassandra/statement';
import { table, type Row } from '../cassandra/table';
import type { Load } from '../data/load';

/** Who is in a list of an owner, and how many came into it by acts. The row of `member` 0 holds a list's count, too. */
export const tallies = table(
  'tallies',
  {
    owner: id,
    shard: int,
    member: id,
    list: text,
    present: optional(flag),
    since: optional(timestamp),
    at: optional(timestamp),
    item: optional(id),
    count: optional(int),
    version: optional(int),
  },
  { partition: ['owner', 'shard'], clustering: ['member', 'list'], order: 'asc' },
);

/** Into how many partitions an owner's members are cut. */
export const SHARD_COUNT = 16;
/** In which partition of an owner a member is. */
export function tallyShardOf(member: string): number {
  return shardOf(member, SHARD_COUNT);
}

/** A member that is to be in a list or not. */
export interface Change {
  readonly owner: string;
  readonly list: string;
  readonly member: string;
  readonly present: boolean;
  /** As of when, where that was decided elsewhere: it changes nothing when something later is known. Now, when not given. */
  readonly at?: Date;
  /** What a member that comes in brings along. */
  readonly item?: string;
  /** Changes nothing where the member brought another item along. */
  readonly ifItem?: string;
  /** Whether a member of whom nothing is known counts as present: an imported one does. */
  readonly unlessKnown?: boolean;
  /** Takes away what is left of the time before, for a member that comes in again: only that standing says where it is. */
  readonly clear?: (before: Membership) => Promise<void>;
}

/** How a member stands in a list. */
export interface Membership {
  readonly present: boolean;
  /** When the member last came in; it may have left since. */
  readonly since: Date | null;
  /** When it last came or left. */
  readonly at: Date | null;
  readonly item: string | null;
}

/** How many came into each list of an owner by acts, less those that left. */
export interface Totals {
  readonly counts: ReadonlyMap<string, number>;
  /** Grows with each change: of two totals the one with the greater version is the newer. */
  readonly version: number;
}

/**
 * Lists of members with exact counts: a member and the count change in one lightweight transaction, so a count is never
 * other than its members say, whatever fails. Changes of one partition that come together are one transaction.
 */
export interface Tally {
  /** Makes a change, unless it is made already; resolves to how the member stands then. */
  change(change: Change): Promise<Membership>;
  /** How a member stands; null where nothing is known. */
  membership(owner: string, list: string, member: string): Promise<Membership | null>;
  /** The lists of an owner that a member is in. */
  lists(owner: string, member: string): Promise<readonly string[]>;
  totals(owner: string): Promise<Totals>;
}

const MAX_CHANGES_AT_ONCE = 50;

const partition = 'WHERE owner = ? AND shard = ?';
const readMembers = `SELECT CAST(member AS text) AS member, list, present, since, at, CAST(item AS text) AS item, count, version FROM tallies ${partition} AND member IN ?`;
const readCounts = 'SELECT list, count, version FROM tallies WHERE owner = ? AND shard IN ? AND member = 0';
const putMember = `UPDATE tallies SET present = ?, since = ?, at = ?, item = ? ${partition} AND member = ? AND list = ?`;
const putCount = `UPDATE tallies SET count = ?, version = ? ${partition} AND member = 0 AND list = ? IF version = ?`;

interface Asked {
  readonly change: Change;
  readonly resolve: (membership: Membership) => void;
  readonly reject: (error: unknown) => void;
}

interface TallyRow extends Partial<Membership> {
  readonly member: string;
  readonly list: string;
  readonly count: number | null;
  readonly version: number | null;
}

/** Makes tallies. Cheapest when a process has one, since changes are put together within it. */
export function createTally(database: Database): Tally {
  const waiting = new Map<string, Asked[]>();
  const work = async (key: string, owner: string, shard: number) => {
    for (let asked = waiting.get(key); asked && asked.length > 0;) {
      const some = takeDistinct(asked);
      try {
        const memberships = await apply(
          database,
          owner,
          shard,
          some.map(({ change }) => change),
        );
        some.forEach(({ resolve }, place) => {
          const membership = memberships[place];
          if (membership) resolve(membership);
        });
      } catch (error) {
        for (const { reject } of some) reject(error);
      }
    }
    waiting.delete(key);
  };
  return {
    change(change) {
      const shard = tallyShardOf(change.member);
      const key = `${change.owner} ${shard}`;
      return new Promise((resolve, reject) => {
        const asked = { change, resolve, reject };
        const others = waiting.get(key);
        if (others) {
          others.push(asked);
        } else {
          waiting.set(key, [asked]);
          void work(key, change.owner, shard);
        }
      });
    },
    async membership(owner, list, member) {
      const rows = (await database.readSerial(readMembers, [
        owner,
        tallyShardOf(member),
        [member],
      ])) as TallyRow[];
      return membershipIn(rows.find((one) => one.list === list));
    },
    async lists(owner, member) {
      const rows = (await database.readSerial(readMembers, [
        owner,
        tallyShardOf(member),
        [member],
      ])) as TallyRow[];
      return rows.filter(({ present }) => present).map(({ list }) => list);
    },
    async totals(owner) {
      const shards = Array.from({ length: SHARD_COUNT }, (_, shard) => shard);
      const counts = new Map<string, number>();
      let version = 0;
      for (const row of (await database.read(readCounts, [owner, shards])) as TallyRow[]) {
        counts.set(row.list, (counts.get(row.list) ?? 0) + (row.count ?? 0));
        version += row.version ?? 0;
      }
      return { counts, version };
    },
  };
}

/** Takes changes that can be made together: those of one member come one after another. */
function takeDistinct(asked: Asked[]): Asked[] {
  const taken = new Map<string, Asked>();
  const left = asked.filter((one) => {
    const key = `${one.change.member} ${one.change.list}`;
    if (taken.size >= MAX_CHANGES_AT_ONCE || taken.has(key)) return true;
    taken.set(key, one);
    return false;
  });
  asked.splice(0, asked.length, ...left);
  return [...taken.values()];
}

function apply(
  database: Database,
  owner: string,
  shard: number,
  changes: readonly Change[],
): Promise<Membership[]> {
  // What is decided is decided once: a repetition after an unknown outcome knows its own writes by their moment.
  const now = new Date();
  const members = [...new Set(['0', ...changes.map(({ member }) => member)])];
  return decideUntilWritten(
    database,
    { cql: readMembers, params: [owner, shard, members] },
    async (rows): Promise<Decision<Membership[]>> => {
      const clearings: Promise<void>[] = [];
      const writes: Pick<Write, 'query' | 'params'>[] = [];
      const deltas = new Map<string, number>();
      const found = new Map((rows as TallyRow[]).map((row) => [`${row.member} ${row.list}`, row]));
      const result = changes.map((change) => {
        const { member, list, present } = change;
        const before = membershipIn(found.get(`${member} ${list}`));
        const after = membershipAfter(before, change, now);
        if (after === null) return before ?? unknown;
        const { since, at, item } = after;
        if (change.clear && before?.since && present && !before.present) clearings.push(change.clear(before));
        writes.push({
          query: putMember,
          params: [present, since, at, item ?? undefined, owner, shard, member, list],
        });
        const was = before?.present ?? change.unlessKnown ?? false;
        deltas.set(list, (deltas.get(list) ?? 0) + Number(present) - Number(was));
        return after;
      });
      for (const [list, delta] of deltas) {
        const { count, version } = found.get(`0 ${list}`) ?? { count: 0, version: null };
        writes.push({
          query: putCount,
          params: [(count ?? 0) + delta, (version ?? 0) + 1, owner, shard, list, version],
        });
      }
      await Promise.all(clearings);
      return { writes, result };
    },
  );
}

/** How a member stands after a change; null when the change is made already or something later is known. */
function membershipAfter(before: Membership | null, change: Change, now: Date): Membership | null {
  const last = before?.at ?? null;
  if (change.ifItem !== undefined && before?.item !== change.ifItem) return null;
  if (change.at !== undefined) {
    if (last !== null && last >= change.at) return null;
  } else if ((before?.present ?? false) === change.present) {
    return null;
  }
  const at = change.at ?? (last !== null && last >= now ? new Date(last.getTime() + 1) : now);
  const comes = change.present && !(before?.present ?? false);
  return {
    present: change.present,
    since: comes ? at : (before?.since ?? null),
    at,
    item: comes ? (change.item ?? null) : (before?.item ?? null),
  };
}

const unknown: Membership = { present: false, since: null, at: null, item: null };

/** How a member stands by its row; null where nothing is known: of member 0 there may be a count only. */
function membershipIn(row: TallyRow | undefined): Membership | null {
  if (row?.at == null) return null;
  const { present, since, at, item } = row;
  return { present: present ?? false, since: since ?? null, at, item: item ?? null };
}

/** How a member stands in all lists of an owner that it was ever in; those of many owners are one request. */
const memberships: Statement<
  { owner: string; shard: number; member: string },
  readonly Row<typeof tallies>[]
> = tallies.within(['member']);

/** Whether a member is in a list of an owner. */
export async function isMember(load: Load, owner: string, list: string, member: string): Promise<boolean> {
  const rows = await load(memberships, { owner, shard: tallyShardOf(member), member });
  return rows.some((row) => row.list === list && row.present === true);
}
