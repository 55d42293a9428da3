import { isLow, joinPair } from '../src/features/follow/relation';
import { readEdges } from './network';
import { rawClient } from './raw-client';

// Writes the rows of an imported network with the driver alone, in unlogged batches, a bounded number of them at once.
// Rows of one partition go together: those of as many edges as an import holds at a time or, with `whole`, of all edges.

const ROWS_PER_BATCH = 50;
const IN_FLIGHT = 128;
/** The number of edges that give about 50,000 rows. */
const EDGES_AT_ONCE = 15_000;

/** The write time of a follow whose time is not known, in microseconds. */
const TIME = '1000';

const insertLow =
  'INSERT INTO relations (pair, low_follows, low_since, low_at, low_imported) VALUES (?, ?, ?, ?, ?) USING TIMESTAMP ?';
const insertHigh =
  'INSERT INTO relations (pair, high_follows, high_since, high_at, high_imported) VALUES (?, ?, ?, ?, ?) USING TIMESTAMP ?';

const [contactPoint = '', keyspace = '', path = '', how = ''] = process.argv.slice(2);

async function main(): Promise<void> {
  const client = rawClient(contactPoint, keyspace);
  await client.connect();
  const edges = await readEdges(path);
  const epoch = new Date(0);
  const bucket = 1970 * 12;
  const underWay = new Set<Promise<unknown>>();
  let batch: { query: string; params: unknown[] }[] = [];
  const send = async () => {
    const sent = client.batch(batch, { prepare: true, logged: false }).finally(() => underWay.delete(sent));
    batch = [];
    underWay.add(sent);
    if (underWay.size >= IN_FLIGHT) await Promise.race(underWay);
  };
  const put = async (query: string, params: unknown[]) => {
    batch.push({ query, params });
    if (batch.length >= ROWS_PER_BATCH) await send();
  };
  const counts = new Map<string, { followers: number; following: number }>();
  const countsOf = (id: string) => {
    const known = counts.get(id) ?? { followers: 0, following: 0 };
    counts.set(id, known);
    return known;
  };
  const atOnce = how === 'whole' ? edges.length : EDGES_AT_ONCE;
  for (let n = 0; n < edges.length; n += atOnce) {
    const followers = new Map<string, string[]>();
    const following = new Map<string, string[]>();
    for (const [follower, followee] of edges.slice(n, n + atOnce)) {
      append(followers, followee, follower);
      append(following, follower, followee);
      const insert = isLow(follower, followee) ? insertLow : insertHigh;
      await put(insert, [joinPair(follower, followee), true, epoch, epoch, true, TIME]);
    }
    const lists = [
      ['followers_by_user', 'follower_id', 'followers', followers],
      ['following_by_user', 'followee_id', 'following', following],
    ] as const;
    for (const [table, other, count, list] of lists) {
      const insert = `INSERT INTO ${table} (user_id, bucket, followed_at, ${other}) VALUES (?, ?, ?, ?) USING TIMESTAMP ?`;
      for (const [user, others] of list) {
        for (const id of others) await put(insert, [user, bucket, epoch, id, TIME]);
        const known = countsOf(user);
        if (known[count] === 0)
          await put('INSERT INTO buckets (owner, list, bucket) VALUES (?, ?, ?)', [user, table, bucket]);
        known[count] += others.length;
      }
    }
  }
  for (const [id, { followers, following }] of counts) {
    await put('INSERT INTO users (user_id, username, name, created_at) VALUES (?, ?, ?, ?)', [
      id,
      id,
      id,
      epoch,
    ]);
    await put(
      'INSERT INTO user_counts (user_id, imported_followers, imported_following, imported_tweets) VALUES (?, ?, ?, ?)',
      [id, followers, following, 0],
    );
  }
  await send();
  await Promise.all(underWay);
  await client.shutdown();
}

function append(map: Map<string, string[]>, key: string, value: string): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

void main();
