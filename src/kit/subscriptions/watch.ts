import type { List } from '../lists/list-parts';
import { decodeCursor, type PositionValue } from '../lists/cursor';
import type { Load } from '../reads/load';
import { Alarm } from './alarm';
import { Watcher } from './watcher';
import type { LateArrival } from './late-arrivals';
import type { Live, Reading } from './live';

/** A clustering key. */
export type Key = readonly PositionValue[];

/** A list as it is read in one context. */
interface OpenedList<R, N> {
  /** Newest first. Its clustering key is a snowflake, or a moment and an id. */
  readonly list: List<R>;
  /** What a row shows; null if that is not, or not to be, given. It is called after the row was read. */
  nodeOf(this: void, row: R): N | null;
  /** Further topics whose signals tell that the list may have new rows. It is called after rows were read. */
  topics?(this: void): readonly string[];
}

/** A list whose new rows a subscription gives. */
export interface WatchedList<R, N, C extends Reading> {
  /** Opens the list to read rows since a moment; its name must not depend on that moment. */
  open(this: void, context: C, since: Date): OpenedList<R, N> | Promise<OpenedList<R, N>>;
  /**
   * The nodes of the newest rows, by one read of this many rows of one partition; undefined if that read does not tell all of
   * them. It makes most reads of a subscription cheap: they need no context, and thousands of subscriptions share a request.
   */
  newest?(this: void, load: Load, limit: number): Promise<readonly N[] | undefined>;
  /** The topics whose signals tell that the list may have new rows. */
  readonly topics: readonly string[];
  /**
   * The node of an item that a signal names; null if the list does not have it, undefined if only the list can tell.
   * Thousands of subscriptions share the read of the item, where each would read its own list.
   */
  nodeOf?(this: void, load: Load, item: string): Promise<N | null | undefined>;
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

/** How many of the newest rows are read after a signal. If there is none, one row tells whether there is something new. */
const ROWS_AFTER_SIGNAL = 10;

/**
 * Gives the new nodes of a list as they come, until the subscription ends: from a cursor on, oldest first, or from now on. No
 * node is left out, but some may come again after a cursor. Each time it reads, it looks back `LOOK_BACK_MS`; what reaches the
 * list later than that is found among the late arrivals. Throws `BAD_USER_INPUT` for a cursor of another list.
 */
export async function* watch<R, N, C extends Reading>(
  live: Live<C>,
  watched: WatchedList<R, N, C>,
  after: string | null,
): AsyncGenerator<NewNode<N>> {
  const alarm = new Alarm(live, watched.topics, watched.late.topic);
  try {
    const name = await live.read(async (context) => (await watched.open(context, new Date())).list.name);
    const watcher = new Watcher(live, watched, name, alarm);
    yield* after === null ? watcher.begin() : watcher.catchUp(decodeCursor(name, after));
    alarm.ask(() => watcher.isUnchanged());
    for (let woken = await alarm.wait(); woken !== 'end'; woken = await alarm.wait()) {
      const nodes = woken === 'signal' ? await watcher.lookAt(alarm.takeItems()) : null;
      if (nodes !== null) {
        yield* nodes;
        continue;
      }
      yield* watcher.readNew(woken === 'signal' ? ROWS_AFTER_SIGNAL : 1);
      if (woken === 'time') yield* watcher.readLate();
    }
  } finally {
    alarm.close();
  }
}
