import { factsOfGroup, factsOfPairs, factsOfTallies, LIST_OF_KIND } from '../write/notification/facts';
import { relations } from '../features/follow/follow.table';
import { groupId } from '../features/notification/group-id';
import {
  notificationGroups,
  notificationMembers,
  GROUP_ROW,
} from '../features/notification/notification.table';
import type { Database } from '../kit/cassandra/database';
import type { StoredRow } from '../kit/cassandra/table';
import { createLoad, readMany, type Load } from '../kit/reads/load';
import { createSignals } from '../kit/subscriptions/signals';
import { tallies } from '../kit/work/tally';
import { createBulkWriter } from '../kit/writes/bulk';
import {
  changeGroup,
  groupOfRow,
  MAX_GROUP_ROWS,
  readGroup,
  repairGroup,
  type Group,
} from '../write/notification/group';
import { isWrong, membersIn } from '../write/notification/group-members';
import { storeGroup, unlistGroup } from '../write/notification/list-group';
import { notifyOfPast, type Fact } from '../write/notification/notify-group';
import type { Job } from './job';
import { passWrites } from './recount';
import { requireNoImport } from './require-no-import';
import { readSample } from './sample';

/** How many acts, or groups, are compared at a time. */
const AT_ONCE = 100;
/** How many acts that are in no group are put into groups at a time, in the order in which they were done. */
const SORTED_AT_ONCE = 50_000;
const MAX_EXAMPLES = 3;

const servicesOf = (database: Database) => ({
  database,
  bulk: createBulkWriter(database),
  signals: createSignals(),
});

/** The faults of a group: members without an act, and whether its own row or the order of its members is wrong. */
interface Wrong {
  readonly groupId: string;
  readonly group: Group | null;
  readonly surplus: readonly { readonly actorId: string; readonly since: Date; readonly changedAt: Date }[];
  readonly isDifferent: boolean;
}

/** The job of the groups of likes, shares and follows: each act that stands is a member of one group, and nothing else is. */
export const notificationGroupsJob: Job = {
  name: notificationGroups.name,
  async rebuild({ database }, onProgress) {
    const rebuilt = { looked: 0, written: 0, removed: 0, refused: 0 };
    await requireNoImport(database);
    const services = servicesOf(database);
    let missing: Fact[] = [];
    const place = async () => {
      await placeInOrder(services, missing);
      rebuilt.written += missing.length;
      missing = [];
    };
    for await (const facts of allFacts(database)) {
      missing.push(...(await missingAmong(database, facts)));
      if (missing.length >= SORTED_AT_ONCE) await place();
      rebuilt.looked += facts.length;
      onProgress(rebuilt);
    }
    await place();
    for await (const ids of allGroups(database)) {
      for (const wrong of await wrongAmong(database, ids)) {
        await repair(services, wrong);
        rebuilt.removed += wrong.surplus.length;
        rebuilt.written += Number(wrong.isDifferent);
      }
      rebuilt.looked += ids.length;
      onProgress(rebuilt);
    }
    return rebuilt;
  },
  async verify({ database }, size) {
    const facts = await sampledFacts(database, size);
    const rows = await readSample(database, notificationGroups.keys, size);
    const ids = [...new Set(rows.map((row) => String(row['groupId'])))];
    let missing = await missingAmong(database, facts);
    let wrong = await wrongAmong(database, ids);
    if (missing.length + wrong.length > 0) {
      await passWrites(database);
      // Those that were taken back meanwhile need not be in a group.
      const standing = missing.map(({ notified, act }) => factsOfGroup(database, notified, [act.actorId]));
      missing = await missingAmong(database, (await Promise.all(standing)).flat());
      wrong = await wrongAmong(
        database,
        wrong.map((one) => one.groupId),
      );
    }
    const nameOf = ({ notified: { userId, kind, subjectId }, act: { actorId } }: Fact) =>
      `missing: userId ${userId}, kind ${kind}, subjectId ${subjectId}, actorId ${actorId}`;
    return {
      looked: facts.length + rows.length,
      missing: missing.length,
      surplus: wrong.reduce((sum, { surplus }) => sum + surplus.length, 0),
      different: wrong.filter(({ isDifferent }) => isDifferent).length,
      examples: [
        ...missing.map(nameOf),
        ...wrong.map((one) => `${one.isDifferent ? 'different' : 'surplus'}: groupId ${one.groupId}`),
      ].slice(0, MAX_EXAMPLES),
    };
  },
};

/**
 * Puts acts into groups, in the order in which they were done: the tables of acts have another order, and by that, few acts of one group
 * would be within 12 hours of its first.
 */
async function placeInOrder(services: ReturnType<typeof servicesOf>, facts: readonly Fact[]): Promise<void> {
  const { database } = services;
  for (const fact of facts.toSorted((a, b) => Number(a.act.since) - Number(b.act.since))) {
    await notifyOfPast(services, [fact]);
    // A group whose own row was lost knows its members, but not what it is.
    const number = await numberOf(createLoad(database), fact);
    if ((await readGroup(database, fact.notified, number)) !== null) continue;
    const group = await repairGroup(database, fact.notified, number);
    if (group) await storeGroup(services, group, { isMoved: true, isNews: false });
  }
}

/** All acts that stand, some at a time. */
async function* allFacts(database: Database): AsyncIterable<readonly Fact[]> {
  yield* inChunks(database.stream(tallies.keys.all, []), isOfAct, (rows) => factsOfTallies(database, rows));
  yield* inChunks(
    database.stream(relations.keys.all, []),
    () => true,
    (rows) =>
      factsOfPairs(
        database,
        rows.map(({ pair }) => String(pair)),
      ),
  );
}

function isOfAct({ list }: StoredRow): boolean {
  return Object.values(LIST_OF_KIND).some((known) => known === list);
}

async function* inChunks<T>(
  rows: AsyncIterable<StoredRow>,
  isWanted: (row: StoredRow) => boolean,
  read: (rows: readonly StoredRow[]) => Promise<T>,
): AsyncIterable<T> {
  let chunk: StoredRow[] = [];
  for await (const row of rows) {
    if (isWanted(row)) chunk.push(row);
    if (chunk.length < AT_ONCE) continue;
    yield await read(chunk);
    chunk = [];
  }
  yield await read(chunk);
}

async function sampledFacts(database: Database, size: number): Promise<readonly Fact[]> {
  const ofTallies = (await readSample(database, tallies.keys, size)).filter(isOfAct);
  const pairs = (await readSample(database, relations.keys, size)).map(({ pair }) => String(pair));
  return [...(await factsOfTallies(database, ofTallies)), ...(await factsOfPairs(database, pairs))];
}

/** The acts that are in no group, or in one that does not know of itself. */
async function missingAmong(database: Database, facts: readonly Fact[]): Promise<Fact[]> {
  const load = createLoad(database);
  const are = await Promise.all(
    facts.map(async (fact) => {
      const { actorId, changedAt } = fact.act;
      const id = groupId(fact.notified, await numberOf(load, fact));
      const [group, member] = await Promise.all([
        load(notificationGroups.get, { ...GROUP_ROW, groupId: id }),
        load(notificationGroups.get, { ...GROUP_ROW, groupId: id, actorId }),
      ]);
      const isMember = member?.present === true && member.changedAt !== null && member.changedAt >= changedAt;
      return isMember && group !== null && groupOfRow(group) !== null;
    }),
  );
  return facts.filter((_, index) => !are[index]);
}

/** The number of the group that an act is in. */
async function numberOf(load: Load, { notified, act: { actorId } }: Fact): Promise<number> {
  const { userId, kind, subjectId } = notified;
  return (await load(notificationMembers.get, { userId, kind, subjectId, actorId }))?.number ?? 0;
}

/** The ids of all groups, some at a time. */
async function* allGroups(database: Database): AsyncIterable<readonly string[]> {
  let last = '';
  const isNext = ({ groupId: id }: StoredRow) => id !== last && ((last = String(id)), true);
  yield* inChunks(database.stream(notificationGroups.keys.all, []), isNext, (rows) =>
    Promise.resolve(rows.map(({ groupId: id }) => String(id))),
  );
}

async function wrongAmong(database: Database, ids: readonly string[]): Promise<Wrong[]> {
  const wrong: Wrong[] = [];
  for (const id of ids) {
    const [rows = []] = await readMany(database, notificationGroups.page, [
      { groupId: id, limit: MAX_GROUP_ROWS },
    ]);
    const found = await inspect(database, id, rows);
    if (found.surplus.length > 0 || found.isDifferent) wrong.push(found);
  }
  return wrong;
}

type GroupsRow = NonNullable<Awaited<ReturnType<typeof notificationGroups.page.pick>>>[number];

async function inspect(database: Database, id: string, rows: readonly GroupsRow[]): Promise<Wrong> {
  const group = rows.map(groupOfRow).find((one) => one !== null) ?? null;
  const read = membersIn(rows);
  const surplus: Wrong['surplus'][number][] = [];
  for (let n = 0; group !== null && n < read.members.length; n += AT_ONCE) {
    const some = read.members.slice(n, n + AT_ONCE);
    const facts = await factsOfGroup(
      database,
      group,
      some.map(({ actorId }) => actorId),
    );
    const since = new Map(facts.map(({ act }) => [act.actorId, Number(act.since)]));
    for (const { actorId, since: at, changedAt } of some)
      if (at !== null && changedAt !== null && since.get(actorId) !== Number(at))
        surplus.push({ actorId, since: at, changedAt });
  }
  return { groupId: id, group, surplus, isDifferent: isWrong(read, group?.memberCount ?? null) };
}

async function repair(
  services: ReturnType<typeof servicesOf>,
  { group, surplus, isDifferent }: Wrong,
): Promise<void> {
  // If the row of a group is lost, its acts tell its grouping: see `missingAmong`.
  if (group === null) return;
  for (const { actorId, since, changedAt } of surplus) {
    const act = { actorId, since, present: false, changedAt: new Date(Number(changedAt) + 1) };
    await changeGroup(services.database, group, group.number, [act], (one, at) =>
      unlistGroup(services, one, at),
    );
  }
  const repaired = await repairGroup(services.database, group, group.number);
  if (repaired && (isDifferent || surplus.length > 0))
    await storeGroup(services, repaired, { isMoved: true, isNews: false });
}
