import { LRUCache } from 'lru-cache';
import type { Database } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { readMany } from '../../kit/data/load';
import { writeOf } from '../../kit/data/write';
import { users, usersByUsername } from '../../user/user.table';
import { deriveId } from '../records/derive';
import { snowflakeTime } from '../../kit/base/snowflake';
import { parseAccountId } from '../records/id';
import type { ImportRecord, Person, UserRecord } from '../records/record';
import { claimAll, type Made } from './claim-names';
import type { Writer } from './writer';

/** The creation time of an account if neither its source nor its id gives one. */
const UNKNOWN_CREATION = new Date(0);

/** How many users are cached, so that users who were just written need not be read. */
const MAX_REMEMBERED_PEOPLE = 300_000;

/** If there are at most this many users, all are read at the start; a user who is not in the cache then does not exist. */
const MAX_PEOPLE_BY_NAME = 50_000;

/** The result of identifying the people in a batch of records. */
export interface Introduction {
  /** Why a record was rejected, by its index. */
  readonly refused: Map<number, string>;
  /** For users whose ids were derived from their names so far: the ids that their profiles now give. */
  readonly mergedIds: ReadonlyMap<string, string>;
  /** Whether a user who existed before gets a profile. */
  readonly changes: boolean;
  /** Writes the users who are new or get a profile; they have claimed their names already. */
  writeUsers(): Promise<void>;
}

/** Finds out which user a name or a number means, and creates the users that records name. */
export interface People {
  /**
   * Identifies the people in `records` and claims the names of new users. With `again`, it also claims the names of
   * users who exist, because an import that was killed may not have done so.
   */
  introduce(records: readonly ImportRecord[], again: boolean): Promise<Introduction>;
  /** The id of a person whose record has been passed to `introduce`. */
  idOf(person: Person): string;
}

interface Named extends Person {
  readonly index: number;
  readonly profile: UserRecord | null;
}

/** Creates the `People` of an import. */
export function createPeople(database: Database, writer: Writer): People {
  /** Whether all users are in the cache; undefined until they have been read. */
  let complete: boolean | undefined;
  const dispose = (_name: string, _of: string, reason: string) => {
    if (reason === 'evict') complete = false;
  };
  const owners = new LRUCache<string, string>({ max: MAX_REMEMBERED_PEOPLE, dispose });
  const names = new LRUCache<string, string>({ max: MAX_REMEMBERED_PEOPLE, dispose });
  /** Known profiles in the form of `profileOf`, by user id. */
  const profiles = new LRUCache<string, string>({ max: MAX_REMEMBERED_PEOPLE / 5 });
  const remember = (userId: string, username: string) => {
    names.set(userId, username);
    if (username === userId) return;
    const folded = username.toLowerCase();
    // If an import was killed while it merged two users, both exist; the derived id must not replace the other one.
    if (owners.has(folded) && userId === deriveId('user', folded)) return;
    owners.set(folded, userId);
  };
  /** The id of the user who has a name. A name that is a number may belong to the user with that id. */
  const ownerOf = (folded: string) => {
    const owner = owners.get(folded) ?? (names.get(folded) === folded ? folded : undefined);
    if (owner !== undefined) return owner;
    // An import that was killed may have claimed the name for a profile, and not merged the user into it yet.
    const derived = deriveId('user', folded);
    return names.has(derived) ? derived : undefined;
  };
  const idOf = ({ userId, username }: Person) => {
    const folded = username?.toLowerCase() ?? '';
    return userId ?? ownerOf(folded) ?? deriveId('user', folded);
  };
  return {
    idOf,
    async introduce(records, again) {
      const persons = records.flatMap(personsOf);
      complete ??= await recallAll(database, remember);
      await recall(database, owners, names, persons, idOf, again, complete);
      await recallProfiles(database, profiles, persons, names, idOf);
      const refused = new Map<number, string>();
      const mergedIds = new Map<string, string>();
      const made = new Map<string, Made>();
      const existing: Made[] = [];
      let changes = false;
      for (const { index, profile, ...person } of persons) {
        const userId = idOf(person);
        const before = names.get(userId);
        const named = before !== undefined && (profile === null || before !== userId);
        if (named && profile && before.toLowerCase() !== profile.username?.toLowerCase()) {
          refused.set(index, `user ${userId} already has the username ${before}`);
          continue;
        }
        // A user who has only a number or a name so far takes the profile.
        const known = profiles.get(userId);
        if (named && (profile === null || known !== undefined)) {
          const user = { userId, username: before, profile, before, from: undefined };
          if (profile && known !== profileOf(rowOf(user)))
            refused.set(index, `user ${userId} already has a different profile`);
          else if (again) claimAgain(user);
          continue;
        }
        changes ||= before !== undefined;
        const username = person.username ?? userId;
        const owner = ownerOf(username.toLowerCase()) ?? userId;
        if (owner === userId) {
          make({ userId, username, profile, before, from: undefined });
        } else if (owner === deriveId('user', username.toLowerCase())) {
          mergedIds.set(owner, userId);
          names.delete(owner);
          made.delete(owner);
          make({ userId, username, profile, before, from: owner });
        } else if (profile === null && (ownerOf(userId) ?? userId) === userId) {
          make({ userId, username: userId, profile, before, from: undefined });
        } else {
          refused.set(index, `the username ${username} belongs to user ${owner}`);
        }
      }
      for (const [user, name] of await claimAll(database, [...made.values(), ...existing])) {
        for (const person of persons)
          if (idOf(person) === user.userId)
            refused.set(person.index, `the ${name} ${user.username} is taken`);
        if (made.delete(user.userId)) forget(user);
      }
      return {
        refused,
        mergedIds,
        changes,
        async writeUsers() {
          for (const user of made.values()) await writer.put(writeOf(users, rowOf(user)));
        },
      };

      function make(user: Made) {
        remember(user.userId, user.username);
        made.set(user.userId, user);
        if (user.profile) profiles.set(user.userId, profileOf(rowOf(user)));
      }

      /** Forgets a user who was not created because another user has the name. */
      function forget({ userId, username, before, from }: Made) {
        const folded = username.toLowerCase();
        profiles.delete(userId);
        if (before === undefined) names.delete(userId);
        else names.set(userId, before);
        if (before?.toLowerCase() !== folded) owners.delete(folded);
        if (from === undefined) return;
        mergedIds.delete(from);
        remember(from, username);
      }

      /** Does what a killed import may not have done: claims the name, and merges the user with the derived id. */
      function claimAgain(user: Made) {
        const derived = deriveId('user', user.username.toLowerCase());
        const isMerged = derived !== user.userId && names.has(derived);
        existing.push({ ...user, from: isMerged ? derived : undefined });
        if (!isMerged) return;
        mergedIds.set(derived, user.userId);
        names.delete(derived);
        owners.set(user.username.toLowerCase(), user.userId);
      }
    },
  };
}

function personsOf(record: ImportRecord, index: number): Named[] {
  if (record.kind === 'user') return [{ ...record, index, profile: record }];
  const persons = record.kind === 'follow' ? [record.follower, record.followee] : [record.author];
  return persons.map((person) => ({ ...person, index, profile: null }));
}

/** Reads all users if there are few. Resolves to whether all were read. */
async function recallAll(
  database: Database,
  remember: (userId: string, username: string) => void,
): Promise<boolean> {
  let people = 0;
  for await (const row of database.stream('SELECT CAST(user_id AS text) AS id, username FROM users', [])) {
    if (++people > MAX_PEOPLE_BY_NAME) return false;
    const { id, username } = row as { id: string; username: string };
    remember(id, username);
  }
  return true;
}

/** Reads the owners of the names of some people, and the usernames of people whose ids are known. */
async function recall(
  database: Database,
  owners: LRUCache<string, string>,
  names: LRUCache<string, string>,
  named: readonly Named[],
  idOf: (person: Person) => string,
  again: boolean,
  complete: boolean,
): Promise<void> {
  const recallUsers = async (unknown: readonly string[]) => {
    const keys = unknown.filter((userId) => !names.has(userId)).map((userId) => ({ userId }));
    for (const user of await readMany(database, users.get, keys))
      if (user) names.set(user.userId, user.username);
  };
  const recallOwners = async (usernames: readonly string[]) => {
    const folded = new Set(usernames.map((username) => username.toLowerCase()));
    const keys = [...folded]
      .filter((name) => !owners.has(name))
      .map((usernameFolded) => ({ usernameFolded }));
    const found = (await readMany(database, usersByUsername.get, keys)).flatMap((row) => row ?? []);
    await recallUsers(found.map(({ userId }) => userId));
    // A user who claimed a name but does not exist, or has another name, may never get that name.
    for (const { usernameFolded, userId } of found)
      if (names.get(userId)?.toLowerCase() === usernameFolded) owners.set(usernameFolded, userId);
  };
  const given = named.flatMap(({ username }) => username ?? []);
  // Names are read even if all users are in the cache, because users who signed up meanwhile are not.
  await recallOwners(given);
  if (complete) return;
  const unknown = [
    ...new Set([
      ...named.map(idOf),
      ...given.filter((username) => parseAccountId(username) === username),
      ...(again ? given.map((username) => deriveId('user', username.toLowerCase())) : []),
    ]),
  ].filter((userId) => !names.has(userId));
  await recallUsers(unknown);
  await recallOwners(unknown.filter((userId) => !names.has(userId)));
}

/** Reads the profiles of existing users for whom a record has a profile. */
async function recallProfiles(
  database: Database,
  profiles: LRUCache<string, string>,
  named: readonly Named[],
  names: LRUCache<string, string>,
  idOf: (person: Person) => string,
): Promise<void> {
  const ids = named.flatMap((person) => (person.profile ? [idOf(person)] : []));
  const keys = [...new Set(ids)]
    .filter((userId) => names.has(userId) && !profiles.has(userId))
    .map((userId) => ({ userId }));
  for (const user of await readMany(database, users.get, keys))
    if (user && !isBare(user)) profiles.set(user.userId, profileOf(user));
}

/** Whether a user has only a name, and no profile yet. */
function isBare({ username, name, description, twitterAccount }: Row<typeof users>): boolean {
  return name === username && description === null && twitterAccount === null;
}

/** A profile as a string that can be compared. */
function profileOf({ name, description, twitterAccount, createdAt }: Row<typeof users>): string {
  return JSON.stringify([name, description, twitterAccount?.toLowerCase() ?? null, createdAt.getTime()]);
}

function rowOf({ userId, username, profile }: Made): Row<typeof users> {
  return {
    userId,
    username,
    name: profile?.name ?? username,
    description: profile?.description ?? null,
    twitterAccount: profile?.onTwitter ? username : null,
    createdAt: profile?.createdAt ?? snowflakeTime(userId) ?? UNKNOWN_CREATION,
  };
}
