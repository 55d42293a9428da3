import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError, unavailable } from '../base/errors';
import type { Database, Write } from './database';

/** What is to be done about what was read. */
export interface Decision<Result> {
  /** Of one partition, with a condition that holds only while nobody has written since; none: nothing is to be done. */
  readonly writes: readonly Pick<Write, 'query' | 'params'>[];
  readonly result: Result;
}

/** How often others may come between, and how often the database may fail to answer. */
const MAX_CONFLICTS = 100;
const MAX_FAILURES = 4;

/**
 * Reads, decides, and writes if nobody has written since; else again. When an outcome is not known it is read, so
 * `decide` must know its own writes again: deciding twice is deciding once. Rejects with `UNAVAILABLE`.
 */
export async function decideUntilWritten<Result>(
  database: Database,
  { cql, params }: { readonly cql: string; readonly params: readonly unknown[] },
  decide: (rows: readonly object[]) => Decision<Result> | Promise<Decision<Result>>,
): Promise<Result> {
  let isUncertain = false;
  let failures = 0;
  for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
    try {
      const rows = isUncertain ? await database.readSerial(cql, params) : await database.read(cql, params);
      const { writes, result } = await decide(rows);
      // That nothing is to be done is believed only of what is settled: a write that nobody was told of may be under way.
      if (writes.length === 0 ? isUncertain : await database.compareAndWrite(writes)) return result;
      if (writes.length > 0) await sleep(Math.random() * Math.min(100, 5 * conflicts));
    } catch (error) {
      const absent = error instanceof ClientError && error.extensions['code'] === 'UNAVAILABLE';
      if (!absent || ++failures === MAX_FAILURES) throw error;
      await sleep(500 * failures);
    }
    // What did not apply may have lost to one whose commit has not reached a quorum of replicas.
    isUncertain = true;
  }
  throw unavailable(new Error(`the row was written by others ${MAX_CONFLICTS} times in between: ${cql}`));
}
