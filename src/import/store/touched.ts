import type { Database } from '../../kit/cassandra/database';
import type { CountedList } from './count';

/** How many users are remembered; if there are more, all users count as touched, so that memory stays flat. */
const MAX_REMEMBERED = 300_000;
/** How many users are settled at a time. */
const CHUNK_ROWS = 1000;

const flags: Record<CountedList, number> = { followers: 1, following: 2, tweets: 4 };
const everything = flags.followers | flags.following | flags.tweets;

/** The lists of a user that have new rows. */
export interface Touched extends Readonly<Record<CountedList, boolean>> {
  readonly userId: string;
}

/** The users whose lists an import wrote to. */
export interface TouchedUsers {
  add(userId: string, list: CountedList): void;
  /** Removes a user who no longer exists. */
  forget(userId: string): void;
  /** Counts every user as touched from now on; `has` and `size` then know no user. */
  everybody(): void;
  readonly size: number;
  has(userId: string): boolean;
  /** How many users are touched; `Infinity` if all are. */
  readonly total: number;
  inChunks(database: Database): AsyncIterable<readonly Touched[]>;
  clear(): void;
}

/** Creates an empty set of touched users. */
export function createTouched(): TouchedUsers {
  const lists = new Map<string, number>();
  let all = false;
  return {
    add(userId, list) {
      if (all) return;
      lists.set(userId, (lists.get(userId) ?? 0) | flags[list]);
      if (lists.size > MAX_REMEMBERED) this.everybody();
    },
    forget: (userId) => void lists.delete(userId),
    everybody() {
      all = true;
      lists.clear();
    },
    get size() {
      return lists.size;
    },
    has: (userId) => lists.has(userId),
    get total() {
      return all ? Infinity : lists.size;
    },
    async *inChunks(database) {
      let chunk: Touched[] = [];
      for await (const [userId, touched] of all ? everyUser(database) : lists) {
        chunk.push({
          userId,
          followers: (touched & flags.followers) > 0,
          following: (touched & flags.following) > 0,
          tweets: (touched & flags.tweets) > 0,
        });
        if (chunk.length < CHUNK_ROWS) continue;
        yield chunk;
        chunk = [];
      }
      yield chunk;
    },
    clear() {
      all = false;
      lists.clear();
    },
  };
}

async function* everyUser(database: Database): AsyncIterable<[string, number]> {
  for await (const row of database.stream('SELECT CAST(user_id AS text) AS id FROM users', []))
    yield [String(Reflect.get(row, 'id')), everything];
}
