import { MIN_ID } from '../base/ids';
import { leastIdAt, timeOfId } from '../base/snowflake';
import type { Load } from '../reads/load';
import { collect } from '../lists/connection';
import { encodeCursor, type Position } from '../lists/cursor';
import { compareKeys } from '../lists/merge';
import type { Alarm } from './alarm';
import type { WatchedList, Key, NewNode } from './watched-list';
import { KnownRows } from './known-rows';
import { LateReader } from './late-reader';
import type { Live, Reading } from './live';
import { LOOK_BACK_MS, MAX_ROW_DELAY_MS } from './late-arrivals';

/** How many rows are read at a time while there are more. */
const PAGE_ROWS = 100;
/** How many of the newest rows are read at most to find out what is new; more are read in pages. */
const MAX_LOOK_ROWS = 20;
/** How long, in milliseconds, after a read of the list new rows may be given without reading it again. */
const MAX_CAUGHT_UP_AGE_MS = LOOK_BACK_MS - MAX_ROW_DELAY_MS;

/** Milliseconds by which the clock of another server may be ahead. */
const MAX_AHEAD_MS = 3_600_000;

/** A row that was read. */
interface Found<N> {
  readonly node: N | null;
  readonly position: Position;
  /** The moment in its key, in milliseconds. */
  readonly time: number;
}

/** Some rows, and the position after which there may be more. */
interface Page<N> {
  readonly found: readonly Found<N>[];
  readonly next: Position | null;
}

/** The rows of a list that are read. */
interface Slice {
  readonly limit: number;
  readonly since: number;
  readonly backwards: boolean;
  readonly from: Position | null;
}

/** Reads the new nodes of a list, for one subscription. */
export class Watcher<R, N, C extends Reading> {
  readonly #live: Live<C>;
  readonly #watched: WatchedList<R, N, C>;
  /** The name of the list, which its cursors have. */
  readonly #name: string;
  readonly #alarm: Alarm;
  /** The rows that need not be given again; those that a look back no longer reaches are forgotten. */
  readonly #known = new KnownRows();
  /** The time when the list was last read to its newest row: everything older than a look back from there was given. */
  #caughtUpAt = Date.now();
  /** The cursor that this began with, until what is near it was read again. */
  #begun: Position | null = null;
  #late: LateReader<N, C> | null = null;
  /** How many times the list was read to give what is new. */
  #reads = 0;
  /** Rows that are older than this time were there before the subscription; set while the list is read for the first time. */
  #existingUntil = -Infinity;

  constructor(live: Live<C>, watched: WatchedList<R, N, C>, name: string, alarm: Alarm) {
    this.#live = live;
    this.#watched = watched;
    this.#name = name;
    this.#alarm = alarm;
  }

  /** Notes the rows that were in the list before the subscription was received, and gives those that have come since. */
  async *readFromNow(): AsyncGenerator<NewNode<N>> {
    const from = lookBack(Math.min(this.#caughtUpAt, this.#live.receivedAt));
    this.#late = new LateReader(this.#live, this.#watched.late, from);
    for await (const node of this.#late.readArrivalsSince()) yield* this.#takeLate(node, from);
    this.#existingUntil = this.#live.receivedAt;
    yield* this.#walk(this.#positionAt(from), { isBeginning: true });
    this.#existingUntil = -Infinity;
  }

  /** Gives everything newer than a position. */
  async *catchUp(given: Position): AsyncGenerator<NewNode<N>> {
    // A cursor of a time to come, which the ids of an import may say, does not tell what its client has: all but what is new, most likely.
    const isAhead = given.key.length > 0 && isToCome(timeOf(given.key));
    const from = isAhead ? this.#positionAt(lookBack(this.#live.receivedAt)) : given;
    const hasKey = from.key.length > 0;
    this.#begun = hasKey ? from : null;
    const lateFrom = lookBack(hasKey ? timeOf(from.key) : Date.now());
    this.#late = new LateReader(this.#live, this.#watched.late, lateFrom);
    // No rows from far back are remembered.
    this.#caughtUpAt = Infinity;
    yield* this.#walk(from, { isBeginning: true });
  }

  /**
   * Whether there is certainly nothing to give: no row that a look back reaches is new, and nothing has come late. It may run
   * beside the other methods.
   */
  async isUnchanged(): Promise<boolean> {
    const late = this.#late;
    // The rows that were given a moment ago, and one that is older.
    const limit = this.#known.count() + 1;
    if (this.#watched.newest === undefined || late === null || this.#begun !== null) return false;
    if (limit > MAX_LOOK_ROWS) return false;
    const began = Date.now();
    const reads = this.#reads;
    const since = lookBack(this.#caughtUpAt);
    const [young, hasLate] = await this.#live.readRows((load) =>
      Promise.all([this.#young(load, limit, since), late.hasNew(load)]),
    );
    if (young === null || hasLate) return false;
    if (young.some(({ position }) => !this.#known.has(idOf(position.key)))) return false;
    // A read that has begun meanwhile looks back further, so what it may find again must not be forgotten.
    if (reads !== this.#reads) return true;
    if (began > this.#caughtUpAt) this.#noteCaughtUp(began);
    late.noteCaughtUp(began);
    return true;
  }

  /** Returns the new nodes if signals have named them or one read of the newest rows finds them; otherwise null. */
  async lookAt(items: readonly string[] | null): Promise<NewNode<N>[] | null> {
    this.#reads++;
    const { nodeOf } = this.#watched;
    if (nodeOf === undefined || items === null) return this.#look();
    // Other rows may have come without a signal. A client that resumes after a cursor only looks back from it, so none of these rows may be
    // much older than the nodes that are given now.
    if (Date.now() - this.#caughtUpAt > MAX_CAUGHT_UP_AGE_MS) return this.#look();
    const nodes = await this.#live.readRows((load) => Promise.all(items.map((item) => nodeOf(load, item))));
    if (nodes.includes(undefined)) return this.#look();
    const found = nodes.flatMap((node) => (node == null ? [] : [this.#foundOf(node)]));
    const since = lookBack(this.#caughtUpAt);
    if (found.some(({ time }) => time < since)) return this.#look();
    // The list is not caught up by this: the next read looks back as far as it would have done.
    return this.#take(found.toSorted(byKey), since);
  }

  /** Returns the new nodes if one read of the newest rows finds them; otherwise null. */
  async #look(): Promise<NewNode<N>[] | null> {
    // The rows that were given a moment ago, a new one, and one that is older.
    const limit = this.#known.count() + 2;
    if (this.#watched.newest === undefined || limit > MAX_LOOK_ROWS) return null;
    const began = Date.now();
    const since = lookBack(this.#caughtUpAt);
    const young = await this.#live.readRows((load) => this.#young(load, limit, since));
    if (young === null) return null;
    const nodes = this.#take(young.toReversed(), since);
    this.#noteCaughtUp(began);
    return nodes;
  }

  /** Gives what is new, after a look at the newest `count` rows. */
  async *readNew(count: number): AsyncGenerator<NewNode<N>> {
    this.#reads++;
    const began = Date.now();
    const since = lookBack(this.#caughtUpAt);
    const newest = { limit: count, since, backwards: false };
    let { found, next } = await this.#read({ ...newest, from: null });
    // What is newer than all that is posted hides it here.
    if (found.some(({ time }) => isToCome(time)))
      ({ found, next } = await this.#read({ ...newest, from: this.#positionAt(Date.now() + MAX_AHEAD_MS) }));
    const last = found.at(-1);
    if (next === null || (last !== undefined && last.time < since)) {
      const nodes = this.#take(found.filter(({ time }) => time >= since).toReversed(), since);
      this.#noteCaughtUp(began);
      yield* nodes;
    } else {
      yield* this.#walk(this.#positionAt(since));
    }
  }

  /** Gives rows that have reached the list late. The first time, these include rows that came into the list shortly before the cursor. */
  async *readLate(): AsyncGenerator<NewNode<N>> {
    this.#reads++;
    if (this.#begun !== null) {
      const until = this.#begun.key;
      this.#begun = null;
      yield* this.#walk(this.#positionAt(lookBack(timeOf(until))), { until });
    }
    for await (const node of this.#late?.read() ?? []) {
      yield* this.#takeLate(node, lookBack(this.#caughtUpAt));
    }
  }

  /** Gives the rows from a position on; up to a key, if that is given. */
  async *#walk(
    from: Position,
    { until = null, isBeginning = false }: { until?: Key | null; isBeginning?: boolean } = {},
  ): AsyncGenerator<NewNode<N>> {
    let isCaughtUp = false;
    const since = from.key.length === 0 ? 0 : timeOf(from.key);
    for (let next: Position | null = from; next !== null && !this.#live.ending.isEnded();) {
      const began = Date.now();
      const slice = { limit: PAGE_ROWS, since, backwards: true, from: next };
      const page: Page<N> = await (isBeginning
        ? this.#live.begin(() => this.#read(slice))
        : this.#read(slice));
      next = page.found.some(({ time }) => isToCome(time)) ? null : page.next;
      const isWithin = ({ position, time }: Found<N>) =>
        !isToCome(time) && (until === null || compareKeys(position.key, until) <= 0);
      const found = page.found.filter(isWithin);
      const nodes = this.#take(found, lookBack(Math.min(began, this.#caughtUpAt)));
      // Rows may still come between those of this page if they are young, but not between those of the pages before it.
      if (!isCaughtUp && until === null && (next === null || timeOf(next.key) >= lookBack(began))) {
        isCaughtUp = true;
        this.#noteCaughtUp(began);
      }
      yield* nodes;
      if (found.length < page.found.length) return;
    }
  }

  #foundOf(node: N): Found<N> & { readonly node: N } {
    const key = this.#watched.late.keyOf(node);
    const time = timeOf(key);
    return { node, position: { bucket: this.#bucketOf(time), key }, time };
  }

  /** All rows from a moment on, newest first; null if the newest `limit` rows do not tell. */
  async #young(load: Load, limit: number, since: number): Promise<readonly Found<N>[] | null> {
    const { newest } = this.#watched;
    const nodes = await newest?.(load, limit);
    const found = nodes?.map((node) => this.#foundOf(node));
    const young = found?.filter(({ time }) => time >= since);
    if (young === undefined || young.length === limit) return null;
    return young.filter(({ time }) => !isToCome(time));
  }

  #read({ limit, since, backwards, from }: Slice): Promise<Page<N>> {
    return this.#live.read(async (context) => {
      const { list, nodeOf, topics } = await this.#watched.open(context, new Date(since));
      const { rows, end } = await collect(list, { limit: limit - 1, backwards, from });
      const found = rows.map(({ row, bucket }) => {
        const key = list.position(row);
        return { node: nodeOf(row), position: { bucket, key }, time: timeOf(key) };
      });
      if (topics) this.#alarm.listen(topics());
      const last = found.length < limit ? undefined : found.at(-1);
      return { found, next: last?.position ?? end };
    });
  }

  /** Returns the nodes of rows that are new, which now count as given. Rows from a time on are remembered. */
  #take(rows: readonly Found<N>[], since: number): NewNode<N>[] {
    return rows.flatMap((row) => {
      const { position, time } = row;
      const id = idOf(position.key);
      if (this.#known.has(id)) return [];
      if (this.#begun !== null && compareKeys(position.key, this.#begun.key) <= 0) return [];
      if (time >= this.#existingUntil) return this.#give(row, since);
      if (time >= since) this.#known.addExisting(id, time);
      return [];
    });
  }

  /** A node that has reached the list late, unless it was given. It may have been in the list before this was recorded. */
  #takeLate(node: N, since: number): NewNode<N>[] {
    const row = this.#foundOf(node);
    return this.#known.wasGiven(idOf(row.position.key)) ? [] : this.#give(row, since);
  }

  #give({ node, position, time }: Found<N>, since: number): NewNode<N>[] {
    if (time >= since) this.#known.addGiven(idOf(position.key), time);
    return node === null ? [] : [{ node, cursor: encodeCursor(this.#name, position) }];
  }

  #noteCaughtUp(time: number): void {
    this.#caughtUpAt = time;
    this.#known.forgetBefore(lookBack(time));
  }

  #bucketOf(time: number): number {
    return this.#watched.bucketAt?.(new Date(time)) ?? 0;
  }

  #positionAt(time: number): Position {
    const moment = new Date(time);
    const key = this.#watched.bucketAt ? [moment, MIN_ID] : [leastIdAt(moment)];
    return { bucket: this.#bucketOf(time), key };
  }
}

/** The moment from which on a list is read again. Whole seconds, so that many subscriptions ask for the same. */
function lookBack(time: number): number {
  return Math.floor((time - LOOK_BACK_MS) / 1000) * 1000;
}

/**
 * Whether a time is later than that of anything that was posted. The ids of an import may say one: what has such an id is no news, however long
 * it stands before all that is.
 */
function isToCome(time: number): boolean {
  return time > Date.now() + MAX_AHEAD_MS;
}

function byKey(a: Found<unknown>, b: Found<unknown>): number {
  return compareKeys(a.position.key, b.position.key);
}

/** The moment in a clustering key, in milliseconds. */
function timeOf([first]: Key): number {
  return Number(first instanceof Date ? first : timeOfId(first ?? '0'));
}

function idOf(key: Key): string {
  return String(key.at(-1));
}
