import type { LRUCache } from 'lru-cache';
import { createGrowingCache } from '../../kit/base/growing-cache';
import type { Database } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { readMany } from '../../kit/reads/load';
import { users, usersByUsername } from '../../features/user/user.table';
import { deriveId } from '../records/derive';
import { parseAccountId } from '../records/id';
import type { Person, UserRecord } from '../records/record';

/** How many users are cached, so that users who were just written need not be read. */
const MAX_REMEMBERED_PEOPLE = 300_000;

/** If there are at most this many users, all are read at the start; a user who is not in the cache then does not exist. */
const MAX_PEOPLE_BY_NAME = 50_000;

/** A person whom a record names, with the profile if the record is one. */
export interface Named extends Person {
  /** The index of the record. */
  readonly index: number;
  readonly profile: UserRecord | null;
}

/** The users who are stored, or about to be, as far as an import knows them. */
export interface PeopleCache {
  /** User ids by folded username. */
  readonly owners: LRUCache<string, string>;
  /** Usernames by user id. */
  readonly names: LRUCache<string, string>;
  /** Profiles in the form of `joinProfile`, by user id. */
  readonly profiles: LRUCache<string, string>;
  remember(this: void, userId: string, username: string): void;
  /** The id of the user who has a name. A name that is a number may belong to the user with that id. */
  ownerOf(this: void, folded: string): string | undefined;
  /** The id of a person: the given one, that of the name's owner, or else one that is derived from the name. */
  idOf(this: void, person: Person): string;
  /** Reads the known users among some people. With `afterKill`, also all users whom an import that was killed may have left unmerged. */
  recall(this: void, persons: readonly Named[], afterKill: boolean): Promise<void>;
}

/** Creates the cache of an import. */
export function createPeopleCache(database: Database): PeopleCache {
  /** Whether all users are in the cache; undefined until they have been read. */
  let complete: boolean | undefined;
  const dispose = (_name: string, _of: string, reason: string) => {
    if (reason === 'evict') complete = false;
  };
  const owners = createGrowingCache<string>(MAX_REMEMBERED_PEOPLE, { dispose });
  const names = createGrowingCache<string>(MAX_REMEMBERED_PEOPLE, { dispose });
  const profiles = createGrowingCache<string>(MAX_REMEMBERED_PEOPLE / 5);
  const absent = createGrowingCache<true>(MAX_REMEMBERED_PEOPLE / 5);
  const cache: PeopleCache = {
    owners,
    names,
    profiles,
    remember(userId, username) {
      names.set(userId, username);
      if (username === userId) return;
      const folded = username.toLowerCase();
      // If an import was killed while it merged two users, both exist; the derived id must not replace the other one.
      if (owners.has(folded) && userId === deriveId('user', folded)) return;
      owners.set(folded, userId);
    },
    ownerOf(folded) {
      const owner = owners.get(folded) ?? (names.get(folded) === folded ? folded : undefined);
      if (owner !== undefined) return owner;
      // An import that was killed may have claimed the name for a profile, and not merged the user into it yet.
      const derived = deriveId('user', folded);
      return names.has(derived) ? derived : undefined;
    },
    idOf({ userId, username }) {
      const folded = username?.toLowerCase() ?? '';
      return userId ?? cache.ownerOf(folded) ?? deriveId('user', folded);
    },
    async recall(persons, afterKill) {
      complete ??= await recallAll(database, cache);
      await recallNames(database, cache, persons, afterKill, complete);
      if (!complete) await recallUnmerged(database, cache, absent, persons);
      await recallProfiles(database, cache, persons);
    },
  };
  return cache;
}

/** Reads all users if there are few. Resolves to whether all were read. */
async function recallAll(database: Database, { remember }: PeopleCache): Promise<boolean> {
  let people = 0;
  for await (const row of database.stream('SELECT CAST(user_id AS text) AS id, username FROM users', [])) {
    if (++people > MAX_PEOPLE_BY_NAME) return false;
    const { id, username } = row as { id: string; username: string };
    remember(id, username);
  }
  return true;
}

/** Reads the owners of the names of some people, and the usernames of people whose ids are known. */
async function recallNames(
  database: Database,
  { owners, names, idOf }: PeopleCache,
  named: readonly Named[],
  afterKill: boolean,
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
      ...(afterKill ? given.map((username) => deriveId('user', username.toLowerCase())) : []),
    ]),
  ].filter((userId) => !names.has(userId));
  await recallUsers(unknown);
  await recallOwners(unknown.filter((userId) => !names.has(userId)));
}

/**
 * Reads the users whose ids are derived from the names of people with other ids: a merge that was cut off has left them. `absent` remembers
 * the ids that no user has; one who is created later is in the cache.
 */
async function recallUnmerged(
  database: Database,
  { names }: PeopleCache,
  absent: LRUCache<string, true>,
  named: readonly Named[],
): Promise<void> {
  const derived = named.flatMap(({ userId, username }) =>
    userId === undefined || username === undefined ? [] : deriveId('user', username.toLowerCase()),
  );
  const keys = [...new Set(derived)]
    .filter((userId) => !names.has(userId) && !absent.has(userId))
    .map((userId) => ({ userId }));
  for (const [index, user] of (await readMany(database, users.get, keys)).entries()) {
    if (user) names.set(user.userId, user.username);
    else absent.set(keys[index]?.userId ?? '', true);
  }
}

/** Reads the profiles of existing users for whom a record has a profile. */
async function recallProfiles(
  database: Database,
  { names, profiles, idOf }: PeopleCache,
  named: readonly Named[],
): Promise<void> {
  const ids = named.flatMap((person) => (person.profile ? [idOf(person)] : []));
  const keys = [...new Set(ids)]
    .filter((userId) => names.has(userId) && !profiles.has(userId))
    .map((userId) => ({ userId }));
  const found = (await readMany(database, users.get, keys)).flatMap((user) => user ?? []);
  const bare = found.filter(isBare);
  const owners = await readMany(
    database,
    usersByUsername.get,
    bare.map(({ username }) => ({ usernameFolded: username.toLowerCase() })),
  );
  // A sign-up confirms its name, and an import does not. A user who signed up has a profile, even if that says no more than the name.
  const imported = new Set(bare.filter((_, index) => owners[index]?.stored !== true));
  for (const user of found) if (!imported.has(user)) profiles.set(user.userId, joinProfile(user));
}

/** Whether a user has only a name, as an import stores one without a profile. */
function isBare({ username, name, description, twitterAccount }: Row<typeof users>): boolean {
  return name === username && description === null && twitterAccount === null;
}

/** A profile as a string that can be compared. */
export function joinProfile({ name, description, twitterAccount, createdAt }: Row<typeof users>): string {
  return JSON.stringify([name, description, twitterAccount?.toLowerCase() ?? null, createdAt.getTime()]);
}
