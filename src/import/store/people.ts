import { snowflakeTime } from '../../kit/base/snowflake';
import type { Database } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import type { RowWriter } from '../../kit/writes/row-writer';
import { writeOf } from '../../kit/cassandra/write';
import { users } from '../../features/user/user.table';
import { buildProfileRows, profileRowsOfUsers } from '../../write/user/profile-copy';
import { deriveId } from '../records/derive';
import type { ImportRecord, Person } from '../records/record';
import { claimNames, twitterAccountOf, withoutAccount, type ImportedUser } from './claim-names';
import { findDeletedAccounts, type DeletedAccounts } from './deleted-accounts';
import { createPeopleCache, joinProfile, type Named, type PeopleCache } from './people-cache';

/** The creation time of an account if neither its source nor its id gives one. */
const UNKNOWN_CREATION = new Date(0);

/** The result of identifying the people in a batch of records. */
interface IdentifiedPeople {
  /** Why a record was rejected, by its index. */
  readonly refused: ReadonlyMap<number, string>;
  /** The outcomes of the profiles that are not rejected, by their index. */
  readonly profiled: ReadonlyMap<number, 'stored' | 'changed' | 'unchanged'>;
  /** The profiles that are taken without their Twitter accounts, because somebody else has these, by their indices. */
  readonly dropped: ReadonlySet<number>;
  /** The ids that profiles now give to users whose ids were derived from their names so far. */
  readonly mergedIds: ReadonlyMap<string, string>;
  /** Whether a user who existed before gets a profile. */
  readonly changes: boolean;
  /** Writes the users who are new or get a profile; they have claimed their names already. Resolves to their ids. */
  writeUsers(): Promise<readonly string[]>;
}

/** Finds out which user a name or a number means, and creates the users that records name. */
interface People {
  /**
   * Identifies the people in `records` and claims the names of new users. With `afterKill`, it also claims the names of
   * users who exist, because an import that was killed may not have done so. It completes a merge that was cut off in any case.
   */
  identify(records: readonly ImportRecord[], afterKill: boolean): Promise<IdentifiedPeople>;
  /** The id of a person whose record has been passed to `identify`. */
  idOf(this: void, person: Person): string;
  /** The username of a user, or the id if the name is not at hand. */
  nameOf(this: void, userId: string): string;
}

/** Creates the `People` of an import. */
export function createPeople(
  database: Database,
  writer: RowWriter,
  deletedAccounts: DeletedAccounts,
): People {
  const cache = createPeopleCache(database);
  let copiedAt = 0;
  return {
    idOf: cache.idOf,
    nameOf: (userId) => cache.names.get(userId) ?? `user ${userId}`,
    async identify(records, afterKill) {
      const persons = records.flatMap(listPeople);
      await Promise.all([cache.recall(persons, afterKill), deletedAccounts.look()]);
      const identification = createIdentification(cache, afterKill, deletedAccounts);
      for (const person of persons) identification.identify(person);
      const refuse = (user: ImportedUser, reason: string) => {
        for (const person of persons)
          if (cache.idOf(person) === user.userId) identification.refused.set(person.index, reason);
        identification.withdraw(user);
      };
      // A row may name a user only by number, and nothing but the deletion of the account may be left of that user here.
      const created = [...identification.writtenUsers.values()].filter(({ before }) => before === undefined);
      const createdIds = created.map(({ userId }) => userId);
      const deleted = await findDeletedAccounts(database, createdIds);
      for (const user of created) if (deleted.has(user.userId)) refuse(user, deletedHere(user.userId));
      const lost = await claimNames(database, identification.claims());
      for (const user of lost.usernames) refuse(user, `the username is taken: ${user.username}`);
      for (const user of lost.accounts) {
        for (const { index, profile, ...person } of persons)
          if (profile !== null && cache.idOf(person) === user.userId) identification.dropped.add(index);
        identification.dropAccount(user);
      }
      deletedAccounts.remember(
        persons.filter(({ index }) => !identification.refused.has(index)).map(cache.idOf),
      );
      return {
        refused: identification.refused,
        profiled: identification.profiled,
        dropped: identification.dropped,
        mergedIds: identification.mergedIds,
        changes: identification.changes(),
        async writeUsers() {
          // The write time is not later than that of the rows of the users, so that a later change wins over the copy, too.
          copiedAt = Math.max(copiedAt + 1, Date.now() * 1000);
          for (const user of identification.writtenUsers.values()) {
            await writer.put(writeOf(users, makeUserRow(user)));
            for (const copy of buildProfileRows(makeUserRow(user), copiedAt)) await writer.put(copy);
          }
          const existingIds = identification.existing.map(({ userId }) => userId);
          for (const copy of await profileRowsOfUsers(database, existingIds)) await writer.put(copy);
          return [...identification.writtenUsers.keys()];
        },
      };
    },
  };
}

/** Identifies the people of some records, one after another. */
interface Identification {
  readonly refused: Map<number, string>;
  readonly profiled: IdentifiedPeople['profiled'];
  readonly dropped: Set<number>;
  readonly mergedIds: ReadonlyMap<string, string>;
  /** Users who are new or get a profile, by id. */
  readonly writtenUsers: ReadonlyMap<string, ImportedUser>;
  /** Decides which user a person is, and whether the user is new, gets a profile, or is rejected. */
  identify(person: Named): void;
  /** The users who were stored before, for whom a killed import may not have claimed names or written copies. */
  readonly existing: readonly ImportedUser[];
  /** The users who claim their names. */
  claims(): readonly ImportedUser[];
  /** Forgets a user who was not created, because the account was deleted or another user has the name. */
  withdraw(user: ImportedUser): void;
  /** Stores a user without the Twitter account of the profile. */
  dropAccount(user: ImportedUser): void;
  /** Whether a user who existed before gets a profile. */
  changes(): boolean;
}

function createIdentification(
  { owners, names, profiles, remember, ownerOf, idOf }: PeopleCache,
  afterKill: boolean,
  deletedAccounts: Pick<DeletedAccounts, 'has'>,
): Identification {
  const refused = new Map<number, string>();
  const profiled = new Map<number, 'stored' | 'changed' | 'unchanged'>();
  const dropped = new Set<number>();
  const mergedIds = new Map<string, string>();
  const writtenUsers = new Map<string, ImportedUser>();
  const existing: ImportedUser[] = [];
  /** New users with derived ids whom others have replaced before they were stored. */
  const replaced = new Set<string>();
  let changes = false;
  const add = (user: ImportedUser) => {
    remember(user.userId, user.username);
    writtenUsers.set(user.userId, user);
    if (user.profile) profiles.set(user.userId, joinProfile(makeUserRow(user)));
  };
  /** The user with the id that is derived from a name, who is to be merged into the user that has the name. */
  const unmergedOf = ({ userId, username }: ImportedUser) => {
    const derived = deriveId('user', username.toLowerCase());
    return derived !== userId && names.has(derived) && !deletedAccounts.has(derived) ? derived : undefined;
  };
  /** Does what a killed import may not have done: claims the name, and merges the user with the derived id. */
  const claimAgain = (user: ImportedUser) => {
    const derived = unmergedOf(user);
    existing.push({ ...user, from: derived });
    if (derived === undefined) return;
    mergedIds.set(derived, user.userId);
    names.delete(derived);
    owners.set(user.username.toLowerCase(), user.userId);
  };
  /** Rejects a profile that differs from the one that a user has already. */
  const checkExisting = ({ index, profile }: Named, user: ImportedUser) => {
    const stored = profiles.get(user.userId);
    // Somebody else has, or had, the account.
    const isWithoutAccount = stored === joinProfile(makeUserRow(withoutAccount(user)));
    const isSame = stored === joinProfile(makeUserRow(user));
    if (profile && !isSame && isWithoutAccount) dropped.add(index);
    if (profile && !isSame && !isWithoutAccount)
      refused.set(index, `the user already has a different profile: ${user.userId}`);
    else if (profile) profiled.set(index, 'unchanged');
    // Another import may have ended since the killed one, so that nothing else tells of that.
    if (!refused.has(index) && (afterKill || unmergedOf(user) !== undefined))
      claimAgain(isSame ? user : withoutAccount(user));
  };
  /** Creates a user, or gives a profile to one who has only a number or a name so far. */
  const createOrUpdate = (
    { index, profile, ...person }: Named,
    userId: string,
    before: string | undefined,
  ) => {
    changes ||= before !== undefined;
    const username = person.username ?? userId;
    const owner = ownerOf(username.toLowerCase()) ?? userId;
    if (profile) profiled.set(index, before === undefined && owner === userId ? 'stored' : 'changed');
    if (owner === userId) {
      add({ userId, username, profile, before, from: undefined });
    } else if (deletedAccounts.has(owner)) {
      refused.set(index, deletedHere(owner));
    } else if (owner === deriveId('user', username.toLowerCase())) {
      mergedIds.set(owner, userId);
      names.delete(owner);
      const former = writtenUsers.get(owner);
      if (former !== undefined && former.before === undefined) replaced.add(owner);
      writtenUsers.delete(owner);
      add({ userId, username, profile, before, from: owner });
    } else if (profile === null && (ownerOf(userId) ?? userId) === userId) {
      add({ userId, username: userId, profile, before, from: undefined });
    } else {
      refused.set(index, `the username belongs to another user: ${username} is user ${owner}`);
    }
  };
  return {
    refused,
    profiled,
    dropped,
    mergedIds,
    writtenUsers,
    existing,
    identify(person) {
      const { index, profile } = person;
      const userId = idOf(person);
      if (deletedAccounts.has(userId)) {
        refused.set(index, deletedHere(userId));
        return;
      }
      const before = names.get(userId);
      const isNamed = before !== undefined && (profile === null || before !== userId);
      if (isNamed && profile && before.toLowerCase() !== profile.username?.toLowerCase())
        refused.set(index, `the user already has another username: user ${userId} is ${before}`);
      else if (isNamed && (profile === null || profiles.has(userId)))
        checkExisting(person, { userId, username: before, profile, before, from: undefined });
      else createOrUpdate(person, userId, before);
    },
    claims: () => [...writtenUsers.values(), ...existing],
    withdraw(user) {
      const { userId, username, before, from } = user;
      if (!writtenUsers.delete(userId)) return;
      const folded = username.toLowerCase();
      profiles.delete(userId);
      if (before === undefined) names.delete(userId);
      else names.set(userId, before);
      if (before?.toLowerCase() !== folded) owners.delete(folded);
      if (from === undefined) return;
      mergedIds.delete(from);
      if (!replaced.has(from)) remember(from, username);
    },
    dropAccount(user) {
      if (writtenUsers.has(user.userId)) add(withoutAccount(user));
    },
    changes: () => changes,
  };
}

function deletedHere(userId: string): string {
  return `the account was deleted here: ${userId}`;
}

function listPeople(record: ImportRecord, index: number): Named[] {
  if (record.kind === 'user') return [{ ...record, index, profile: record }];
  const persons = record.kind === 'follow' ? [record.follower, record.followee] : [record.author];
  return persons.map((person) => ({ ...person, index, profile: null }));
}

function makeUserRow({ userId, username, profile }: ImportedUser): Row<typeof users> {
  return {
    userId,
    username,
    name: profile?.name ?? username,
    description: profile?.description ?? null,
    twitterAccount: twitterAccountOf({ username, profile }),
    createdAt: profile?.createdAt ?? timeOfAccount(userId, username) ?? UNKNOWN_CREATION,
  };
}

/** The time that the id of an account tells; null if it tells none: also if it was derived from the name, whatever time that looks like. */
function timeOfAccount(userId: string, username: string): Date | null {
  return userId === deriveId('user', username.toLowerCase()) ? null : snowflakeTime(userId);
}
