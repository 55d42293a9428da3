import { setTimeout as sleep } from 'node:timers/promises';
import { likesByTweet } from '../../src/features/like/like.lists';
import type { Database } from '../../src/kit/cassandra/database';
import { removalOf, writeOf } from '../../src/kit/cassandra/write';
import {
  bucketAssignerOf,
  setBucketAssigner,
  type BucketAssignerOptions,
} from '../../src/kit/lists/bucket-assigner';
import { collect } from '../../src/kit/lists/connection';
import type { Position } from '../../src/kit/lists/cursor';
import type { Found, FoundRows } from '../../src/kit/lists/list-parts';
import { listBuckets } from '../../src/kit/lists/list-buckets';
import { createLoad, readMany } from '../../src/kit/reads/load';
import { createBulkWriter } from '../../src/kit/writes/bulk';
import { putAll } from '../../src/kit/writes/row-writer';
import { randomIntFrom, type RandomInt } from './random-int';

// Some servers make, remove and make again the rows of one list, most of them at its head. A slow one holds its writes back after they were
// given their buckets, and all are killed now and then in the middle. Stretches are split and gaps renewed all the time.

/** All times are so short that a renewal takes a second. */
const TIMES = {
  trustedMs: 60,
  trustedForOldRowsMs: 30,
  effectiveMs: 400,
  storedWithinMs: 100,
  settledMs: 700,
} as const;
/** How long the slow server holds a write back at most: until readers leave out a bucket, which may be that of the write. */
const MAX_HELD_MS = 2500;
/** How many writes it holds back at once. */
const MAX_HELD = 2;
/** How long a decision waits at most before it is stored. */
const MAX_LATE_MS = 80;
const SERVERS = 3;
const ACTS_AT_ONCE = 12;
/** How many positions are used again and again. */
const PLACES = 30;

interface Like {
  readonly likedAt: Date;
  readonly userId: string;
}

/** The last act of a row: of two acts, the one with the greater version wins, in whatever order they are stored. */
interface Last extends Like {
  readonly version: number;
  readonly isPresent: boolean;
}

/** What a story has come to. */
interface Told {
  /** How the list differs from the truth each time that it was read, page by page, in both directions. */
  readonly differences: readonly string[];
  /** How many stretches the list has in the end. */
  readonly stretches: number;
  /** How often readers were told to leave out buckets, and how often a server was killed. */
  readonly left: number;
  readonly killed: number;
}

const nameOf = ({ likedAt, userId }: Like) => `${Number(likedAt)} ${userId}`;
const position = ({ likedAt, userId }: Like) => [likedAt, userId];

/** A server: it has its own view of how lists are split. */
function openServer(
  shared: Database,
  random: RandomInt,
  options: BucketAssignerOptions,
  counts: { left: number; killed: number },
  isSlow: boolean,
) {
  const killSometimes = () => {
    if (random(25) > 0) return;
    counts.killed++;
    throw new Error('The server was killed.');
  };
  const database: Database = {
    ...shared,
    async batch(writes, batchOptions) {
      const { left } = counts;
      for (let held = 0; isSlow && counts.left === left && held < MAX_HELD_MS; held += 20) await sleep(20);
      killSometimes();
      await shared.batch(writes, batchOptions);
      killSometimes();
    },
    async compareAndWrite(writes) {
      killSometimes();
      const isWritten = await shared.compareAndWrite(writes);
      if (isWritten && writes[0]?.query.startsWith('UPDATE list_buckets SET others')) counts.left++;
      killSometimes();
      return isWritten;
    },
  };
  setBucketAssigner(database, { fullRows: 12, rowsPerCheck: 6, wornRemovals: 8, ...TIMES, ...options });
  return database;
}

/** Tells a story of a list whose rows are from `begin` on. */
export async function tellStory(
  shared: Database,
  { tweetId, begin, acts, seed }: { tweetId: string; begin: number; acts: number; seed: number },
  options: BucketAssignerOptions = {},
): Promise<Told> {
  const random = randomIntFrom(seed);
  const counts = { left: 0, killed: 0 };
  const servers = Array.from({ length: SERVERS }, () => openServer(shared, random, options, counts, false));
  const slow = openServer(shared, random, options, counts, true);
  const truth = new Map<string, Last>();
  let versions = 1_000_000;
  const store = async (name: string, server = servers[random(SERVERS)] ?? slow): Promise<void> => {
    const last = truth.get(name);
    if (last === undefined) return;
    const { version: at, isPresent, ...like } = last;
    const row = { tweetId, likedAt: like.likedAt, userId: like.userId };
    const write = isPresent ? writeOf(likesByTweet, row, { at }) : removalOf(likesByTweet, row, at);
    // Who takes over the task of a killed server looks at what is true then.
    await putAll(createBulkWriter(server)(), [write]).catch(() => store(name));
  };
  const decide = (like: Like, isPresent: boolean, server?: Database) => {
    truth.set(nameOf(like), { ...like, isPresent, version: versions++ });
    return store(nameOf(like), server);
  };
  let held = 0;
  const decideSlowly = (like: Like) => {
    held++;
    return decide(like, true, slow).finally(() => held--);
  };
  const placeAt = (n: number): Like => ({ likedAt: new Date(begin + n * 1000), userId: String(n % 5) });
  const act = async (n: number) => {
    const kind = held < MAX_HELD ? random(20) : random(16);
    const like = placeAt(PLACES * 3 + n);
    const latest = [...truth.values()].at(-1 - random(8)) ?? like;
    if (kind < 14) {
      const made = decide(like, true);
      if (random(3) === 0) await made;
      await Promise.all([made, random(40) === 0 ? undefined : decide(like, false)]);
    } else if (kind < 16) await decide(placeAt(random(PLACES) * 3), random(2) === 0);
    else if (kind === 16) await decide(latest, random(4) === 0);
    else if (kind === 17) await decideSlowly(like);
    else if (kind === 18) await Promise.all([decideSlowly(like), decide(like, false)]);
    else {
      // It was decided before the removal, and is stored after it.
      const write = writeOf(likesByTweet, { tweetId, ...like }, { at: versions++ });
      await decide(like, false);
      await sleep(random(MAX_LATE_MS));
      await putAll(createBulkWriter(servers[0] ?? shared)(), [write]).catch(() => undefined);
    }
  };
  const differences: string[] = [];
  const compare = async () => {
    const due = [...truth.values()]
      .filter(({ isPresent }) => isPresent)
      .sort((a, b) => Number(b.likedAt) - Number(a.likedAt) || Number(b.userId) - Number(a.userId))
      .map(nameOf);
    for (const [size, backwards] of [
      [7, false],
      [50, true],
    ] as const) {
      const found = await readAll(shared, tweetId, size, backwards);
      const lost = due.filter((name) => !found.includes(name)).map((name) => `lost ${name}`);
      const surplus = found.filter((name) => !due.includes(name)).map((name) => `removed ${name}`);
      differences.push(...lost, ...surplus);
      if (lost.length + surplus.length === 0 && found.join() !== due.join()) differences.push('order');
    }
  };
  const underWay = new Set<Promise<void>>();
  for (let n = 0; n < acts; n++) {
    const one = act(n).finally(() => underWay.delete(one));
    underWay.add(one);
    if (underWay.size >= ACTS_AT_ONCE) await Promise.race(underWay);
    if (n % 500 !== 499) continue;
    await Promise.all(underWay);
    await compare();
  }
  await Promise.all(underWay);
  await Promise.all([slow, ...servers].map((server) => bucketAssignerOf(server).gapsRenewed()));
  await compare();
  const [rows = []] = await readMany(shared, listBuckets.page, [
    { owner: tweetId, list: likesByTweet.name, limit: 10_000 },
  ]);
  return { differences: [...new Set(differences)], stretches: rows.length, ...counts };
}

/** Reads the whole list page by page, newest first. */
async function readAll(database: Database, tweetId: string, size: number, backwards: boolean) {
  const found: string[] = [];
  for (let from: Position | null = null; ;) {
    const list = likesByTweet.list(createLoad(database), tweetId);
    const read: FoundRows<Like> = await collect(list, { limit: size - 1, backwards, from });
    found.push(...read.rows.map(({ row }) => nameOf(row)));
    const last: Found<Like> | undefined = read.rows.length < size ? undefined : read.rows.at(-1);
    from = last === undefined ? read.end : { bucket: last.bucket, key: position(last.row) };
    if (from === null) return backwards ? found.reverse() : found;
  }
}
