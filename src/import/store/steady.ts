import { setTimeout as sleep } from 'node:timers/promises';
import type { Column } from '../../kit/cassandra/column';
import type { Database } from '../../kit/cassandra/database';
import { getStatement, type Statement } from '../../kit/cassandra/statement';
import type { Row } from '../../kit/cassandra/table';
import { readMany } from '../../kit/data/load';
import { readPending } from '../../kit/work/pending';
import { tweetCounts } from '../../tweet/tweet.table';
import { userCounts } from '../../user/user.table';

/** How often somebody is counted whom acts change each time. */
const MAX_TRIES = 10;
/** Milliseconds after which an act has been counted, or waits for a server that will do it. */
const MAX_WRITE_MS = 60_000;

/** What acts have added, as of which version of the tallies: counts are written as of that. */
type Versioned<R> = R & { readonly version: string | null };

const versionBy = (column: string): Column<string | null> => ({
  cql: 'bigint',
  select: () => `CAST(WRITETIME(${column}) AS text)`,
});

/** The counts of a user, with their version. */
export const writesOfUser: Statement<{ userId: string }, Versioned<Row<typeof userCounts>> | null> =
  getStatement({ ...userCounts, columns: { ...userCounts.columns, version: versionBy('followers') } });

/** The counts of a tweet, with their version. */
export const writesOfTweet: Statement<{ tweetId: string }, Versioned<Row<typeof tweetCounts>> | null> =
  getStatement({ ...tweetCounts, columns: { ...tweetCounts.columns, version: versionBy('likes') } });

/** What was counted of one, and what acts had added to it at that moment. */
export interface Counted<Key, Acts, Count> {
  readonly key: Key;
  readonly acts: Acts | null;
  readonly count: Count | undefined;
}

/**
 * Counts rows as of a moment at which what acts added is known: whoever is acted on meanwhile is counted again, a few
 * times. Rows are written before they are counted by an act, so acts under way are waited for.
 */
export async function countSteadily<Key, Acts extends Versioned<object>, Count>(
  database: Database,
  keys: readonly Key[],
  acts: Statement<NoInfer<Key>, Acts | null>,
  countOf: (keys: readonly Key[], acts: readonly (Acts | null)[]) => Promise<readonly Count[]>,
): Promise<Counted<Key, Acts, Count>[]> {
  const counted: Counted<Key, Acts, Count>[] = [];
  let left = keys;
  for (let tries = 1; left.length > 0; tries++) {
    const before = await readMany(database, acts, left);
    const counts = await countOf(left, before);
    await waitForWrites(database);
    const after = await readMany(database, acts, left);
    left = left.filter((key, place) => {
      const isMoving = before[place]?.version !== after[place]?.version && tries < MAX_TRIES;
      if (!isMoving) counted.push({ key, acts: after[place] ?? null, count: counts[place] });
      return isMoving;
    });
  }
  return counted;
}

/** Resolves when the acts that are under way now are done. */
export async function waitForWrites(database: Database): Promise<void> {
  let known: ReadonlySet<string> | undefined;
  for (;;) {
    const pending = await readPending(database);
    const awaited = pending.filter(
      ({ taskId, createdAt }) =>
        Number(createdAt) > Date.now() - MAX_WRITE_MS && (known === undefined || known.has(taskId)),
    );
    if (awaited.length === 0) return;
    known ??= new Set(awaited.map(({ taskId }) => taskId));
    await sleep(100);
  }
}
