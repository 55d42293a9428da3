import { LRUCache } from 'lru-cache';
import type { Database } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { readMany } from '../../kit/data/load';
import { writeOf } from '../../kit/data/write';
import { users, usersByUsername } from '../../user/user.table';
import { deriveId, snowflakeTime } from '../records/derive';
import { parseAccountId } from '../records/id';
import type { ImportRecord, Person, UserRecord } from '../records/record';
import { claimAll, type Made } from './claim-names';
import type { Writer } from './writer';

/** When an account was made whose source does not say. */
const UNKNOWN_CREATION = new Date(0);
/** How many people are remembered, so that those just written need not be read. */
const MAX_REMEMBERED_PEOPLE = 300_000;
/** When no more than this many are there, all are read at first: whoever is not remembered then is not there. */
const MAX_PEOPLE_BY_NAME = 50_000;

/** What the people of some records are. */
export interface Introduction {
  /** Why a record was refused, by its place. */
  readonly refused: Map<number, string>;
  /** Users known by an id derived from their name so far, and the id that their profile now gives. */
  readonly mergedIds: ReadonlyMap<string, string>;
  /** Whether a user that was there before gets a profile. */
  readonly changes: boolean;
  /** Makes the users that were not there; their names are theirs already. */
  writeUsers(): Promise<void>;
}

/** Knows who is meant by a name or a number, and makes the users that records name. */
export interface People {
  /** `again`: claims also the names of people who are there, since an import before this one may not have come to it. */
  introduce(records: readonly ImportRecord[], again: boolean): Promise<Introduction>;
  /** The id of a person who was introduced. */
  idOf(person: Person): string;
}

interface Named extends Person {
  readonly place: number;
  readonly profile: UserRecord | null;
}

/** Makes the people of an import. */
export function createPeople(database: Database, writer: Writer): People {
  /** Whether all people are remembered; undefined until it is known. */
  let complete: boolean | undefined;
  const dispose = (_name: string, _of: string, reason: string) => {
    if (reason === 'evict') complete = false;
  };
  const owners = new LRUCache<string, string>({ max: MAX_REMEMBERED_PEOPLE, dispose });
  const names = new LRUCache<string, string>({ max: MAX_REMEMBERED_PEOPLE, dispose });
  /** What is known of profiles, as `profileOf` writes it. */
  const profiles = new LRUCache<string, string>({ max: MAX_REMEMBERED_PEOPLE / 5 });
  const remember = (userId: string, username: string) => {
    names.set(userId, username);
    if (username === userId) return;
    const folded = username.toLowerCase();
    // Both are there when an import was killed while it moved the one to the other.
    if (owners.has(folded) && userId === deriveId('user', folded)) return;
    owners.set(folded, userId);
  };
  /** Who has a name. A name that is a number may be that user's by its id alone. */
  const ownerOf = (folded: string) => {
    const owner = owners.get(folded) ?? (names.get(folded) === folded ? folded : undefined);
    if (owner !== undefined) return owner;
    // A killed import may have claimed it for a profile, and moved nothing to that.
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
      const there: Made[] = [];
      let changes = false;
      for (const { place, profile, ...person } of persons) {
        const userId = idOf(person);
        const before = names.get(userId);
        const named = before !== undefined && (profile === null || before !== userId);
        if (named && profile && before.toLowerCase() !== profile.username?.toLowerCase()) {
          refused.set(place, `user ${userId} is ${before} already`);
          continue;
        }
        // Whose name is a number, or who has nothing but a name, takes the profile.
        const known = profiles.get(userId);
        if (named && (profile === null || known !== undefined)) {
          const user = { userId, username: before, profile, before, from: undefined };
          if (profile && known !== profileOf(rowOf(user)))
            refused.set(place, `user ${userId} has another profile already`);
          else if (again) moveAgain(user);
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
          refused.set(place, `the username ${username} is user ${owner}'s`);
        }
      }
      for (const [user, name] of await claimAll(database, [...made.values(), ...there])) {
        for (const person of persons)
          if (idOf(person) === user.userId)
            refused.set(person.place, `the ${name} ${user.username} is taken`);
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

      /** Undoes the making of a user whose name another has taken. */
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

      /** Does what a killed import may have left: the name, and the moving from the id that was derived from it. */
      function moveAgain(user: Made) {
        const derived = deriveId('user', user.username.toLowerCase());
        const moves = derived !== user.userId && names.has(derived);
        there.push({ ...user, from: moves ? derived : undefined });
        if (!moves) return;
        mergedIds.set(derived, user.userId);
        names.delete(derived);
        owners.set(user.username.toLowerCase(), user.userId);
      }
    },
  };
}

function personsOf(record: ImportRecord, place: number): Named[] {
  if (record.kind === 'user') return [{ ...record, place, profile: record }];
  const persons = record.kind === 'follow' ? [record.follower, record.followee] : [record.author];
  return persons.map((person) => ({ ...person, place, profile: null }));
}

/** Reads everybody, when they are few. Resolves to whether they are. */
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

/** Reads who holds the names of some people, and what those are called whose number is known. */
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
    // Who claimed a name and is not there, or has another one, may not come to have it.
    for (const { usernameFolded, userId } of found)
      if (names.get(userId)?.toLowerCase() === usernameFolded) owners.set(usernameFolded, userId);
  };
  const given = named.flatMap(({ username }) => username ?? []);
  // Who signs up meanwhile is not remembered.
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

/** Reads the profiles of those who are there and for whom a record brings one. */
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

/** Whether a user has nothing but a name: no profile has come yet. */
function isBare({ username, name, description, twitterAccount }: Row<typeof users>): boolean {
  return name === username && description === null && twitterAccount === null;
}

/** A profile in a form in which equal ones are equal. */
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
