import type { Load } from '../reads/load';
import { ARRIVALS_AT_ONCE, arrivalsAfter, KEPT_MS, type LateArrival, LOOK_BACK_MS } from './late-arrivals';
import type { Live, Reading } from './live';

/** The owner and name under which the late arrivals of a list are recorded, and what they bring. */
interface LateSource<N, C extends Reading> {
  readonly owner: string;
  readonly list: string;
  nodesOf(this: void, live: Live<C>, arrivals: readonly LateArrival[]): AsyncIterable<N>;
}

/** Reads what reaches a list late. */
export class LateReader<N, C extends Reading> {
  readonly #live: Live<C>;
  readonly #source: LateSource<N, C>;
  /** The moment from which on arrivals are read, in milliseconds. */
  #since: number;
  /** Arrivals become visible in another order than that of their times, so each read looks back; null if there were none. */
  #given: Map<string, number> | null = null;

  constructor(live: Live<C>, source: LateSource<N, C>, from: number) {
    this.#live = live;
    this.#source = source;
    this.#since = Math.max(from, Date.now() - KEPT_MS);
  }

  /** Marks arrivals from before the subscription as given, and gives those that have come since. */
  async *readArrivalsSince(): AsyncGenerator<N> {
    for await (const arrivals of this.#arrivals())
      yield* this.#source.nodesOf(
        this.#live,
        arrivals.filter(({ arrivedAt }) => Number(arrivedAt) >= this.#live.receivedAt),
      );
  }

  /** Gives what has arrived since the last call. */
  async *read(): AsyncGenerator<N> {
    for await (const arrivals of this.#arrivals()) yield* this.#source.nodesOf(this.#live, arrivals);
  }

  /** Whether anything has arrived since the last call of `read`. */
  async hasNew(load: Load): Promise<boolean> {
    const rows = await this.#page(load);
    return (
      rows.length === ARRIVALS_AT_ONCE || rows.some((row) => this.#given?.has(joinArrivalId(row)) !== true)
    );
  }

  /** Notes that nothing has arrived until a moment, in milliseconds. */
  noteCaughtUp(time: number): void {
    this.#since = Math.max(this.#since, time - LOOK_BACK_MS);
    if (this.#given === null) return;
    for (const [id, arrivedAt] of this.#given) if (arrivedAt < this.#since - 1000) this.#given.delete(id);
    if (this.#given.size === 0) this.#given = null;
  }

  /** The arrivals that were not given before, as many at a time as a page has: what they name is read together. */
  async *#arrivals(): AsyncGenerator<readonly LateArrival[]> {
    const began = Date.now();
    for (let last: LateArrival | undefined; ;) {
      const rows = await this.#live.readRows((load) => this.#page(load, last));
      const fresh = rows.filter((row) => this.#take(row));
      if (fresh.length > 0) yield fresh;
      if (rows.length < ARRIVALS_AT_ONCE) {
        this.noteCaughtUp(began);
        return;
      }
      if (this.#live.ending.isEnded()) return;
      last = rows.at(-1);
    }
  }

  /**
   * The oldest arrivals that may be new, or those after one of them. They are read from whole seconds on, so that many subscriptions ask
   * for the same.
   */
  #page(load: Load, last?: LateArrival): Promise<readonly LateArrival[]> {
    const { list, owner } = this.#source;
    const { arrivedAt, item } = last ?? {
      arrivedAt: new Date(Math.floor(this.#since / 1000) * 1000),
      item: '0',
    };
    return arrivalsAfter(load, list, owner, arrivedAt, item);
  }

  /** Marks an arrival as given. Returns whether it was not before. */
  #take(row: LateArrival): boolean {
    const id = joinArrivalId(row);
    if (this.#given?.has(id) === true) return false;
    (this.#given ??= new Map<string, number>()).set(id, Number(row.arrivedAt));
    return true;
  }
}

function joinArrivalId({ arrivedAt, item }: LateArrival): string {
  return `${Number(arrivedAt)} ${item}`;
}
