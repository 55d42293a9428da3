import type { Database } from '../kit/cassandra/database';
import { writeOf } from '../kit/write';
import { users, usersByTwitterAccount, usersByUsername } from '../user/user.table';
import { deriveId, snowflakeTime } from './derive';
import type { ImportRecord, Person, UserRecord } from './record';
import type { Writer } from './writer';

/** When an account was made whose source does not say. */
const UNKNOWN_CREATION = new Date(0);
const KEYS_PER_READ = 100;

/** Knows who is meant by a name or a number, and makes the users that records name. */
export interface People {
  /** Makes the users of some records; resolves to why a record was refused, by its place. */
  add(records: readonly ImportRecord[]): Promise<Map<number, string>>;
  /** The id of a person of the records added last. */
  idOf(person: Person): string;
}

interface Named {
  readonly userId: string;
  readonly username: string;
  readonly profile: UserRecord | null;
}

/** Makes the people of an import. */
export function createPeople(database: Database, writer: Writer): People {
  let idByName = new Map<string, string>();
  const idOf = ({ userId, username }: Person) => {
    const folded = username?.toLowerCase() ?? '';
    return userId ?? idByName.get(folded) ?? deriveId('user', folded);
  };
  return {
    idOf,
    async add(records) {
      const named = records.flatMap((record, place) =>
        personsOf(record).map((person) => ({ ...person, place })),
      );
      idByName = await readOwners(
        database,
        named.flatMap(({ username }) => username ?? []),
      );
      for (const { userId, username } of named) {
        const folded = username?.toLowerCase();
        if (folded !== undefined && userId !== undefined && !idByName.has(folded))
          idByName.set(folded, userId);
      }
      const known = await readNames(database, named.map(idOf));
      const refused = new Map<number, string>();
      for (const { place, profile, ...person } of named) {
        const userId = idOf(person);
        const username = person.username ?? userId;
        const owner = idByName.get(username.toLowerCase()) ?? userId;
        if (owner !== userId) {
          if (profile) refused.set(place, `the username ${username} is user ${owner}'s`);
          continue;
        }
        const before = known.get(userId);
        if (before !== undefined && (profile === null || before !== userId)) continue;
        known.set(userId, username);
        await makeUser(writer, { userId, username, profile });
      }
      return refused;
    },
  };
}

function personsOf(record: ImportRecord): (Person & { profile: UserRecord | null })[] {
  if (record.kind === 'user') return [{ ...record, profile: record }];
  const persons = record.kind === 'follow' ? [record.follower, record.followee] : [record.author];
  return persons.map((person) => ({ ...person, profile: null }));
}

async function makeUser(writer: Writer, { userId, username, profile }: Named): Promise<void> {
  await writer.put(
    writeOf(users, {
      userId,
      username,
      name: profile?.name ?? username,
      description: profile?.description ?? null,
      twitterAccount: profile?.onTwitter ? username : null,
      createdAt: profile?.createdAt ?? snowflakeTime(userId) ?? UNKNOWN_CREATION,
    }),
  );
  await writer.put(writeOf(usersByUsername, { usernameFolded: username.toLowerCase(), userId }));
  if (profile?.onTwitter) {
    await writer.put(writeOf(usersByTwitterAccount, { accountFolded: username.toLowerCase(), userId }));
  }
}

async function readOwners(database: Database, usernames: readonly string[]): Promise<Map<string, string>> {
  const cql = usersByUsername.get.bind({ usernameFolded: '' }).cqlOfMany ?? '';
  const rows = await readMany(
    database,
    cql,
    usernames.map((username) => username.toLowerCase()),
  );
  return new Map(
    rows
      .flatMap((row) => usersByUsername.get.pick([row]) ?? [])
      .map((row) => [row.usernameFolded, row.userId]),
  );
}

async function readNames(database: Database, userIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await readMany(database, users.get.bind({ userId: '0' }).cqlOfMany ?? '', userIds);
  return new Map(rows.flatMap((row) => users.get.pick([row]) ?? []).map((row) => [row.userId, row.username]));
}

async function readMany(database: Database, cql: string, keys: readonly string[]): Promise<object[]> {
  const distinct = [...new Set(keys)];
  const reads = Array.from({ length: Math.ceil(distinct.length / KEYS_PER_READ) }, (_, n) =>
    database.read(cql, [distinct.slice(n * KEYS_PER_READ, (n + 1) * KEYS_PER_READ)]),
  );
  return (await Promise.all(reads)).flat();
}
