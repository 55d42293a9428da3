/**
 * The parts into which something is divided as it grows: their number doubles until none gets more than so many acts in a second, up to
 * `most`.
 */
export interface Parts {
  readonly act: string;
  readonly perSecond: number;
  readonly most: number;
}

/** What the partitions of a table stand for. It follows which part of all acts the busiest partition gets, and for how long. */
export type Spread =
  /** One partition per act, by a new id: no partition gets more than one act. */
  | { readonly over: 'acts' }
  /** One partition per person, for what that person does or follows: no partition gets more than a person may do. */
  | { readonly over: 'people'; readonly shards?: number }
  /**
   * One partition per subject, in so many equal shards, for what many do to one person or thing: the busiest one gets a part of all acts.
   */
  | { readonly over: 'subjects'; readonly shards?: number }
  /** One partition per period, in so many equal shards, for each server if `isByServer`. */
  | {
      readonly over: 'time';
      readonly seconds: number;
      readonly shards?: number;
      readonly parts?: Parts;
      readonly isByServer?: boolean;
    }
  /** One partition for the whole keyspace, in so many equal shards, for ever. */
  | { readonly over: 'nothing'; readonly shards?: number; readonly parts?: Parts };

/** Reads that every server repeats, besides those for callers. */
export interface RepeatedReads {
  readonly everySeconds: number;
  /** How many seconds back its rows are read; all rows if not given. */
  readonly seconds?: number;
  /** How many rows a read takes in at most: what the partition has beyond that is left out, unless they are a sample. */
  readonly most?: number;
  /** Whether these are a uniform sample of the rows, from which the others are estimated: then none counts as left out. */
  readonly isSample?: boolean;
  /** Whether servers read less often as there are more of them: see `pauseOfReaders`. */
  readonly isPaced?: boolean;
}

/** How much is written to a table, and what spreads it over partitions: `npm run capacity` computes the rest. */
export interface WriteLoad {
  /** The name of this load, if a table has several. */
  readonly what?: string;
  /** How many rows an act writes, by the name of the act. */
  readonly rows: Readonly<Record<string, number>>;
  /** How many lightweight transactions an act makes, by the name of the act, if none shares one. */
  readonly transactions?: Readonly<Record<string, number>>;
  /** The most transactions of a partition in a second, if servers share and delay them so that there are no more. */
  readonly maxTransactions?: number;
  /** The usual bytes of a row as it is stored, its key included and before compression. */
  readonly bytes: number;
  readonly spread: Spread;
  /** The most rows of a partition, if the code sees to that. */
  readonly most?: number;
  /** How many seconds a row is kept; for ever if not given. */
  readonly keptSeconds?: number;
  /** Whether rows are removed one by one when they are done, each of which leaves a tombstone. */
  readonly isEmptied?: boolean;
  /** The most tombstones of a partition, if the code sees to that. */
  readonly mostTombstones?: number;
  readonly reads?: RepeatedReads;
}
