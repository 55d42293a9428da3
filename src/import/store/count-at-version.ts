import { setTimeout as sleep } from 'node:timers/promises';
import { writtenAt } from '../../kit/cassandra/column';
import type { Database } from '../../kit/cassandra/database';
import { getStatement, type Statement } from '../../kit/cassandra/statement';
import type { Row } from '../../kit/cassandra/table';
import { readMany } from '../../kit/reads/load';
import type { Task } from '../../kit/work/outbox.table';
import { readPending, readWhole } from '../../kit/work/pending';
import { tweetCounts } from '../../features/tweet/tweet.table';
import { userCounts } from '../../features/user/user.table';

/** How often something is counted if writes change it every time. */
const MAX_TRIES = 10;
/** Tasks older than this, in milliseconds, are not waited for: their server is gone, and another one will run them. */
const MAX_WRITE_MS = 60_000;

/** Counts of mutations, with the version of the tallies that they are as of, which is their write time; null if there were none. */
type WithVersion<R> = R & { readonly version: string | null };

const datedCounts: Statement<
  { userId: string },
  (Row<typeof userCounts> & Record<'followersAt' | 'followingAt' | 'tweetsAt', string | null>) | null
> = getStatement({
  ...userCounts,
  columns: {
    ...userCounts.columns,
    followersAt: writtenAt('followers'),
    followingAt: writtenAt('following'),
    tweetsAt: writtenAt('tweets'),
  },
});

/** Reads the counts of a user, each of which has a version of its own. */
export const writesOfUser: Statement<{ userId: string }, WithVersion<Row<typeof userCounts>> | null> = {
  name: datedCounts.name,
  table: datedCounts.table,
  size: datedCounts.size,
  bind: (key) => datedCounts.bind(key),
  pick(rows) {
    const row = datedCounts.pick(rows);
    if (row === null) return null;
    const { followersAt, followingAt, tweetsAt, ...counts } = row;
    const times = [followersAt, followingAt, tweetsAt];
    return { ...counts, version: times.every((time) => time === null) ? null : times.join(' ') };
  },
};

/** Reads the counts of a tweet, with their version. */
export const writesOfTweet: Statement<{ tweetId: string }, WithVersion<Row<typeof tweetCounts>> | null> =
  getStatement({ ...tweetCounts, columns: { ...tweetCounts.columns, version: writtenAt('likes') } });

/** A count of rows, and what writes had added at that moment. */
interface CountAtVersion<Key, Writes, Count> {
  readonly key: Key;
  readonly acts: Writes | null;
  readonly count: Count | undefined;
  /** Whether the version stayed the same while the rows were counted. */
  readonly isSteady: boolean;
}

/**
 * Counts rows as of a moment at which it is known what writes have added (read by `writesOf`). If the version changes
 * meanwhile, the key is counted again, up to 10 times. A write stores its rows while it counts them, so writes under way are
 * waited for by `wait`: before the rows are counted, for those that are counted already, and after that, for those that are not yet.
 */
export async function countAtVersion<Key, Writes extends { readonly version: string | null }, Count>(
  database: Database,
  keys: readonly Key[],
  writesOf: Statement<NoInfer<Key>, Writes | null>,
  countOf: (keys: readonly Key[], writes: readonly (Writes | null)[]) => Promise<readonly Count[]>,
  wait: (database: Database) => Promise<void> = waitForWrites,
): Promise<CountAtVersion<Key, Writes, Count>[]> {
  const counted: CountAtVersion<Key, Writes, Count>[] = [];
  let remaining = keys;
  for (let tries = 1; remaining.length > 0; tries++) {
    const before = await readMany(database, writesOf, remaining);
    // A list that was counted already may have rows on their way.
    if (before.some((row) => row?.version != null)) await wait(database);
    const counts = await countOf(remaining, before);
    await wait(database);
    const after = await readMany(database, writesOf, remaining);
    remaining = remaining.filter((key, index) => {
      const isSteady = before[index]?.version === after[index]?.version;
      const isCounted = isSteady || tries >= MAX_TRIES;
      if (isCounted) counted.push({ key, acts: after[index] ?? null, count: counts[index], isSteady });
      return !isCounted;
    });
  }
  return counted;
}

/** Resolves when the tasks of the last minute that are pending now, or those of them for which `isAwaited` holds, are completed. */
export async function waitForWrites(
  database: Database,
  isAwaited: (task: Task) => boolean = () => true,
): Promise<void> {
  let known: ReadonlySet<string> | undefined;
  for (;;) {
    const recent = (await readPending(database)).filter(
      ({ createdAt }) => Number(createdAt) > Date.now() - MAX_WRITE_MS,
    );
    const awaited = known
      ? recent.filter(({ taskId }) => known?.has(taskId))
      : (await readWhole(database, recent)).filter(isAwaited);
    if (awaited.length === 0) return;
    known ??= new Set(awaited.map(({ taskId }) => taskId));
    await sleep(100);
  }
}
