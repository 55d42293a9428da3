import { setTimeout as sleep } from 'node:timers/promises';
import { elapsedSince, takeMoment } from '../base/elapsed';
import { isUnavailable, unavailable } from '../base/errors';
import type { Database, Write } from './database';

/** The writes that follow from what was read, and the result. */
export interface Decision<Result> {
  /** Writes of one partition, with a condition that holds only if nobody has written since the read. Empty if nothing needs writing. */
  readonly writes: readonly Pick<Write, 'query' | 'params'>[];
  readonly result: Result;
}

/** The read before a decision. `ahead` is the answer to the first read, if that was sent already. */
export interface Question {
  readonly cql: string;
  readonly params: readonly unknown[];
  readonly ahead?: Promise<readonly object[]> | undefined;
}

/** How often other writers may get in between, and how often the database may fail to answer. */
const MAX_CONFLICTS = 100;
const MAX_FAILURES = 4;
/**
 * For how many milliseconds a decision with an unknown outcome is repeated: less than the driver waits for an answer. If this server was
 * suspended meanwhile, others may have undone what it has decided, and a repetition would do that once more.
 */
const MAX_UNCERTAIN_MS = 8000;

/**
 * Reads rows, calls `decide` to choose writes, and applies these by a lightweight transaction if nobody has written since;
 * otherwise it starts again. If the outcome is unknown, it reads and decides again, so `decide` must recognise its own
 * writes and not repeat them. Rejects with `UNAVAILABLE` after 100 conflicts, if the database fails to answer four times, or if the
 * outcome is unknown after 8 seconds.
 *
 * @example
 * ```ts
 * const booked = await decideUntilWritten(
 *   database,
 *   { cql: 'SELECT guest FROM nights WHERE room = ? AND night = ?', params: ['7', '2026-10-31'] },
 *   (rows) => ({
 *     writes: rows.length > 0 ? [] : [{ query: 'INSERT INTO nights (room, night, guest) VALUES (?, ?, ?) IF NOT EXISTS', params: ['7', '2026-10-31', '1'] }],
 *     result: rows.length === 0,
 *   }),
 * );
 * ```
 */
export async function decideUntilWritten<Result>(
  database: Database,
  { cql, params, ahead }: Question,
  decide: (rows: readonly object[]) => Decision<Result> | Promise<Decision<Result>>,
): Promise<Result> {
  let isUncertain = false;
  let failures = 0;
  const begun = takeMoment();
  for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
    try {
      const rows = await (isUncertain
        ? database.readSerial(cql, params)
        : (ahead ?? database.read(cql, params)));
      const { writes, result } = await decide(rows);
      if (writes.length > 0 && failures > 0 && elapsedSince(begun) > MAX_UNCERTAIN_MS)
        throw unavailable(
          new Error(
            `the outcome of a write must be known within ${MAX_UNCERTAIN_MS} ms, but was not: ${cql}`,
          ),
        );
      // Only a serial read can show that nothing needs writing, because a transaction with an unknown outcome may be under way.
      const isSettled =
        writes.length === 0 ? isUncertain : await database.compareAndWrite(writes, { mustKnow: true });
      if (isSettled) return result;
      if (writes.length > 0) await sleep(Math.random() * Math.min(100, 5 * conflicts));
    } catch (error) {
      const isTooLate = elapsedSince(begun) > MAX_UNCERTAIN_MS;
      if (!isUnavailable(error) || ++failures === MAX_FAILURES || isTooLate) throw error;
      await sleep(500 * failures);
    }
    // A transaction that was not applied may have lost to one whose commit has not reached a quorum: only a serial read sees that.
    isUncertain = true;
  }
  throw unavailable(
    new Error(`others wrote the row before each of ${MAX_CONFLICTS} attempts to write it: ${cql}`),
  );
}
