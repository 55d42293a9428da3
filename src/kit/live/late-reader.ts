import { ARRIVALS_AT_ONCE, arrivalsSince, KEPT_MS, type LateArrival } from './late-arrivals';
import type { Live, Reading } from './live';
import { LOOK_BACK_MS } from './look-back';

/** Reads what reaches a list late. */
export interface LateReader<N> {
  /** Marks what has arrived so far as given. */
  skipPresent(this: void): Promise<void>;
  /** Gives what has arrived since the last call. */
  read(this: void): AsyncIterable<N>;
}

/** The owner and name under which the late arrivals of a list are recorded, and what they bring. */
interface LateSource<N, C extends Reading> {
  readonly owner: string;
  readonly list: string;
  nodesOf(this: void, live: Live<C>, arrival: LateArrival): AsyncIterable<N>;
}

/** Creates the reader of what reached a list late since a moment in milliseconds. */
export function createLateReader<N, C extends Reading>(
  live: Live<C>,
  { owner, list, nodesOf }: LateSource<N, C>,
  from: number,
): LateReader<N> {
  let since = Math.max(from, Date.now() - KEPT_MS);
  // Arrivals become visible in another order than that of their times, so each read looks back, too.
  const given = new Map<string, number>();
  async function* arrivals(): AsyncIterable<LateArrival> {
    const began = Date.now();
    for (;;) {
      // Read from whole seconds on, so that many subscriptions ask for the same.
      const after = new Date(Math.floor(since / 1000) * 1000);
      const rows = await live.read(({ load }) => arrivalsSince(load, list, owner, after));
      const isWhole = rows.length < ARRIVALS_AT_ONCE;
      for (const row of rows) {
        const id = `${Number(row.arrivedAt)} ${row.item}`;
        if (given.has(id)) continue;
        given.set(id, Number(row.arrivedAt));
        yield row;
      }
      const last = rows.at(-1);
      since = Math.max(since, isWhole ? began - LOOK_BACK_MS : Number(last?.arrivedAt));
      if (isWhole || live.ended.aborted) break;
    }
    for (const [id, time] of given) if (time < since - 1000) given.delete(id);
  }
  return {
    async skipPresent() {
      for await (const _ of arrivals());
    },
    async *read() {
      for await (const arrival of arrivals()) yield* nodesOf(live, arrival);
    },
  };
}
