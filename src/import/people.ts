import { LRUCache } from 'lru-cache';
import type { Database } from '../kit/cassandra/database';
import { createLoad } from '../kit/load';
import { removalOf, writeOf } from '../kit/write';
import { users, usersByTwitterAccount, usersByUsername } from '../user/user.table';
import { deriveId, snowflakeTime } from './derive';
import type { ImportRecord, Person, UserRecord } from './record';
import type { Writer } from './writer';

/** When an account was made whose source does not say. */
const UNKNOWN_CREATION = new Date(0);
/** How many people are remembered, so that those just written need not be read. */
const PEOPLE_REMEMBERED = 50_000;

/** What the people of some records are. */
export interface Introduction {
  /** Why a record was refused, by its place. */
  readonly refused: Map<number, string>;
  /** Users known by an id derived from their name so far, and the id that their profile now gives. */
  readonly renumbered: ReadonlyMap<string, string>;
  /** Makes the users that were not there. */
  write(): Promise<void>;
}

/** Knows who is meant by a name or a number, and makes the users that records name. */
export interface People {
  introduce(records: readonly ImportRecord[]): Promise<Introduction>;
  /** The id of a person who was introduced. */
  idOf(person: Person): string;
}

interface Named extends Person {
  readonly place: number;
  readonly profile: UserRecord | null;
}

interface Made {
  readonly userId: string;
  readonly username: string;
  readonly profile: UserRecord | null;
  /** The number that stood for the name until now. */
  readonly placeholder: boolean;
}

/** Makes the people of an import. */
export function createPeople(database: Database, writer: Writer): People {
  const owners = new LRUCache<string, string>({ max: PEOPLE_REMEMBERED });
  const names = new LRUCache<string, string>({ max: PEOPLE_REMEMBERED });
  const idOf = ({ userId, username }: Person) => {
    const folded = username?.toLowerCase() ?? '';
    return userId ?? owners.get(folded) ?? deriveId('user', folded);
  };
  return {
    idOf,
    async introduce(records) {
      const named = records.flatMap(personsOf);
      await recall(database, owners, names, named, idOf);
      const refused = new Map<number, string>();
      const renumbered = new Map<string, string>();
      const made = new Map<string, Made>();
      for (const { place, profile, ...person } of named) {
        const userId = idOf(person);
        const before = names.get(userId);
        const placeholder = before === userId;
        if (before !== undefined && (profile === null || !placeholder)) {
          if (profile && before.toLowerCase() !== profile.username?.toLowerCase())
            refused.set(place, `user ${userId} is ${before} already`);
          continue;
        }
        const wanted = person.username ?? userId;
        const holder = holderOf(owners, wanted, userId);
        if (holder === null) {
          remember({ userId, username: wanted, profile, placeholder: placeholder && wanted !== userId });
        } else if (holder === deriveId('user', wanted.toLowerCase())) {
          renumbered.set(holder, userId);
          names.delete(holder);
          made.delete(holder);
          remember({ userId, username: wanted, profile, placeholder });
        } else if (profile === null && holderOf(owners, userId, userId) === null) {
          remember({ userId, username: userId, profile, placeholder: false });
        } else {
          refused.set(place, `the username ${wanted} is user ${holder}'s`);
        }
      }
      return {
        refused,
        renumbered,
        async write() {
          for (const user of made.values()) await makeUser(writer, user);
        },
      };

      function remember(user: Made) {
        names.set(user.userId, user.username);
        owners.set(user.username.toLowerCase(), user.userId);
        made.set(user.userId, user);
      }
    },
  };
}

function personsOf(record: ImportRecord, place: number): Named[] {
  if (record.kind === 'user') return [{ ...record, place, profile: record }];
  const persons = record.kind === 'follow' ? [record.follower, record.followee] : [record.author];
  return persons.map((person) => ({ ...person, place, profile: null }));
}

/** Another user who holds a name, or null. */
function holderOf(owners: LRUCache<string, string>, username: string, userId: string): string | null {
  const holder = owners.get(username.toLowerCase());
  return holder === undefined || holder === userId ? null : holder;
}

/** Reads who holds the names of some people, and what those are called whose number is known. */
async function recall(
  database: Database,
  owners: LRUCache<string, string>,
  names: LRUCache<string, string>,
  named: readonly Named[],
  idOf: (person: Person) => string,
): Promise<void> {
  const load = createLoad(database);
  const recallOwners = async (usernames: Iterable<string>) => {
    const folded = new Set([...usernames].map((username) => username.toLowerCase()));
    await Promise.all(
      [...folded]
        .filter((usernameFolded) => !owners.has(usernameFolded))
        .map(async (usernameFolded) => {
          const found = await load(usersByUsername.get, { usernameFolded });
          if (found) owners.set(usernameFolded, found.userId);
        }),
    );
  };
  await recallOwners(named.flatMap(({ username }) => username ?? []));
  const unknown = [...new Set(named.map(idOf))].filter((userId) => !names.has(userId));
  const strangers = await Promise.all(
    unknown.map(async (userId) => {
      const user = await load(users.get, { userId });
      if (user) names.set(userId, user.username);
      return user ? [] : userId;
    }),
  );
  await recallOwners(strangers.flat());
}

async function makeUser(writer: Writer, { userId, username, profile, placeholder }: Made): Promise<void> {
  const folded = username.toLowerCase();
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
  await writer.put(writeOf(usersByUsername, { usernameFolded: folded, userId }));
  if (placeholder) await writer.put(removalOf(usersByUsername, { usernameFolded: userId }));
  if (profile?.onTwitter) {
    await writer.put(writeOf(usersByTwitterAccount, { accountFolded: folded, userId }));
  }
}
