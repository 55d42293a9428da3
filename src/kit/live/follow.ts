import { ClientError } from '../base/errors';
import { MIN_ID } from '../base/ids';
import { leastIdAt, timeOfId } from '../base/snowflake';
import { collect } from '../relay/collect';
import { decodeCursor, encodeCursor, type Position, type PositionValue } from '../relay/cursor';
import type { List } from '../relay/list';
import { compareKeys } from '../relay/merge';
import type { LateArrival } from './late-arrivals';
import { createLateReader, type LateReader } from './late-reader';
import { createAlarm, type Alarm, type Live, type Reading } from './live';
import { LOOK_BACK_MS } from './look-back';

type Key = readonly PositionValue[];

/** A list as it is read in one context. */
export interface OpenedList<R, N> {
  /** Newest first. Its clustering key is a snowflake, or a moment and an id. */
  readonly list: List<R>;
  /** What a row shows; null if that is not, or not to be, given. It is called after the row was read. */
  nodeOf(this: void, row: R): N | null;
  /** Further topics whose signals tell that the list may have new rows. It is called after rows were read. */
  topics?(this: void): readonly string[];
}

/** A list whose new rows a subscription gives. */
export interface Followed<R, N, C extends Reading> {
  /** Opens the list to read rows since a moment; its name must not depend on that moment. */
  open(this: void, context: C, since: Date): OpenedList<R, N> | Promise<OpenedList<R, N>>;
  /** The topics whose signals tell that the list may have new rows. */
  readonly topics: readonly string[];
  /** For a list whose clustering key begins with a moment, and whose buckets follow from it: the bucket of a moment. */
  bucketAt?(this: void, moment: Date): number;
  /** What reaches the list late, by the owner and name under which its writers record that. */
  readonly late: {
    readonly owner: string;
    readonly list: string;
    /** The nodes that an arrival brings, oldest first. */
    nodesOf(this: void, live: Live<C>, arrival: LateArrival): AsyncIterable<N>;
    /** The topic whose signals tell that something reached the list late. */
    readonly topic?: string;
    /** The clustering key of a node. */
    keyOf(this: void, node: N): Key;
  };
}

/** A node of a list, with its cursor. */
export interface NewNode<N> {
  readonly cursor: string;
  readonly node: N;
}

/** How many rows are read at a time while there are more. */
const PAGE_ROWS = 100;
/** How many of the newest rows are read after a signal. If there is none, one row tells whether there is something new. */
const ROWS_AFTER_SIGNAL = 10;
/** How many of the newest rows are remembered as given. */
const MAX_GIVEN = 20_000;

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

/**
 * Gives the new nodes of a list as they come, until the subscription ends: from a cursor on, oldest first, or from now on. No
 * node is left out, but some may come again after a cursor. Each time it reads, it looks back `LOOK_BACK_MS`; what reaches the
 * list later than that is found among the late arrivals. Throws `BAD_USER_INPUT` for a cursor of another list.
 */
export async function* follow<R, N, C extends Reading>(
  live: Live<C>,
  followed: Followed<R, N, C>,
  after: string | null,
): AsyncGenerator<NewNode<N>> {
  const alarm = createAlarm(live, followed.topics, followed.late.topic);
  try {
    const name = await live.read(async (context) => (await followed.open(context, new Date())).list.name);
    const follower = createFollower(live, followed, name, alarm.listen);
    if (after === null) await follower.skipPresent();
    else yield* follower.catchUp(decodeCursor(name, after));
    for (let woken = await alarm.wait(); woken !== 'end'; woken = await alarm.wait()) {
      yield* follower.readNew(woken === 'signal' ? ROWS_AFTER_SIGNAL : 1);
      if (woken === 'time') yield* follower.readLate();
    }
  } finally {
    alarm.close();
  }
}

function createFollower<R, N, C extends Reading>(
  live: Live<C>,
  followed: Followed<R, N, C>,
  name: string,
  listen: Alarm['listen'],
) {
  /** The rows that need not be given again, by id, and their times; those that a look back no longer reaches are forgotten. */
  const given = new Map<string, number>();
  /** When the list was last read to its newest row: what is older than a look back from there was given. */
  let settled = Date.now();
  /** The cursor that this began with, until what is near it was read again. */
  let begun: Position | null = null;
  let late: LateReader<N> | null = null;

  const read = (limit: number, since: number, backwards: boolean, from: Position | null): Promise<Page<N>> =>
    live.read(async (context) => {
      const { list, nodeOf, topics } = await followed.open(context, new Date(since));
      const { rows, end } = await collect(list, { limit: limit - 1, backwards, from });
      const found = rows.map(({ row, bucket }) => {
        const key = list.position(row);
        return { node: nodeOf(row), position: { bucket, key }, time: timeOf(key) };
      });
      if (topics) listen(topics());
      const last = found.length < limit ? undefined : found.at(-1);
      return { found, next: last?.position ?? end };
    });
  const bucketOf = (time: number) => followed.bucketAt?.(new Date(time)) ?? 0;
  const positionAt = (time: number): Position => {
    const moment = new Date(time);
    const key = followed.bucketAt ? [moment, MIN_ID] : [leastIdAt(moment)];
    return { bucket: bucketOf(time), key };
  };
  /** The nodes of rows that were not given yet, which now are. Those from a time on are remembered. */
  const take = (rows: readonly Found<N>[], since: number): NewNode<N>[] =>
    rows.flatMap(({ node, position, time }) => {
      const id = idOf(position.key);
      if (given.has(id)) return [];
      if (begun !== null && compareKeys(position.key, begun.key) <= 0) return [];
      if (time >= since) remember(given, id, time);
      return node === null ? [] : [{ node, cursor: encodeCursor(name, position) }];
    });
  const settle = (time: number) => {
    settled = time;
    const since = lookBack(time);
    for (const [id, rowTime] of given) if (rowTime < since) given.delete(id);
  };

  /** Gives the rows from a position on; up to a key, if that is given. */
  async function* walk(from: Position, until: Key | null = null): AsyncGenerator<NewNode<N>> {
    let isPresent = false;
    const since = from.key.length === 0 ? 0 : timeOf(from.key);
    for (let next: Position | null = from; next !== null && !live.ended.aborted;) {
      const began = Date.now();
      const page: Page<N> = await read(PAGE_ROWS, since, true, next);
      next = page.next;
      const isWithin = ({ position }: Found<N>) => until === null || compareKeys(position.key, until) <= 0;
      const found = page.found.filter(isWithin);
      const nodes = take(found, lookBack(Math.min(began, settled)));
      // Rows may still come between those of this page if they are young, and not between those of the pages before it.
      if (!isPresent && until === null && (next === null || timeOf(next.key) >= lookBack(began))) {
        isPresent = true;
        settle(began);
      }
      yield* nodes;
      if (found.length < page.found.length) return;
    }
  }

  return {
    /** Marks what is in the list now as given. */
    async skipPresent() {
      late = createLateReader(live, followed.late, lookBack(settled));
      await late.skipPresent();
      for await (const _ of walk(positionAt(lookBack(settled))));
    },

    /** Gives everything newer than a position. */
    async *catchUp(from: Position): AsyncGenerator<NewNode<N>> {
      const hasKey = from.key.length > 0;
      begun = hasKey ? from : null;
      late = createLateReader(live, followed.late, lookBack(hasKey ? timeOf(from.key) : Date.now()));
      // Nothing is remembered of what is far back.
      settled = Infinity;
      yield* walk(from);
    },

    /** Gives what is new, after a look at the newest `count` rows. */
    async *readNew(count: number): AsyncGenerator<NewNode<N>> {
      const began = Date.now();
      const since = lookBack(settled);
      const { found, next } = await read(count, since, false, null);
      const last = found.at(-1);
      if (next === null || (last !== undefined && last.time < since)) {
        const nodes = take(found.filter(({ time }) => time >= since).toReversed(), since);
        settle(began);
        yield* nodes;
      } else {
        yield* walk(positionAt(since));
      }
    },

    /** Gives what has reached the list late. The first time, this includes what came into the list shortly before the cursor. */
    async *readLate(): AsyncGenerator<NewNode<N>> {
      if (begun !== null) {
        const until = begun.key;
        begun = null;
        yield* walk(positionAt(lookBack(timeOf(until))), until);
      }
      for await (const node of late?.read() ?? []) {
        const key = followed.late.keyOf(node);
        const time = timeOf(key);
        yield* take([{ node, position: { bucket: bucketOf(time), key }, time }], lookBack(settled));
      }
    },
  };
}

/** The moment from which on a list is read again. Whole seconds, so that many subscriptions ask for the same. */
function lookBack(time: number): number {
  return Math.floor((time - LOOK_BACK_MS) / 1000) * 1000;
}

function remember(given: Map<string, number>, id: string, time: number): void {
  if (given.size >= MAX_GIVEN)
    throw new ClientError(
      'UNAVAILABLE',
      `This list has more than ${MAX_GIVEN} new items in ${LOOK_BACK_MS / 1000} s: subscribe again after the last cursor.`,
    );
  given.set(id, time);
}

/** The moment in a clustering key, in milliseconds. */
function timeOf([first]: Key): number {
  return Number(first instanceof Date ? first : timeOfId(first ?? '0'));
}

function idOf(key: Key): string {
  return String(key.at(-1));
}
