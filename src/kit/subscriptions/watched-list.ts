import type { List } from '../lists/list-parts';
import type { PositionValue } from '../lists/cursor';
import type { Load } from '../reads/load';
import type { LateArrival } from './late-arrivals';
import type { Live, Reading } from './live';

/** A clustering key. */
export type Key = readonly PositionValue[];

/** A list as it is read in one context. */
interface OpenedList<R, N> {
  /** Newest first. Its clustering key is a snowflake, or a moment and an id. */
  readonly list: List<R>;
  /** Returns the node of a row; null if the row must not be given, or has no node to show. It is called after the row was read. */
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
  /** Returns the bucket of a moment, for a list whose clustering key begins with a moment and whose buckets follow from it. */
  bucketAt?(this: void, moment: Date): number;
  /** The owner and name under which writers record rows that reach the list late. */
  readonly late: {
    readonly owner: string;
    readonly list: string;
    /** The nodes that some arrivals bring. */
    nodesOf(this: void, live: Live<C>, arrivals: readonly LateArrival[]): AsyncIterable<N>;
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
