import type { Statement } from './statement';

/** What a server keeps of the results of a statement. */
export interface Caching<Result> {
  /** Whether it also keeps that there is no row, which is right where that means a count of 0. */
  readonly absence: boolean;
  /** Whether results are large. Then it keeps only those that are asked for again within moments. */
  readonly isLarge?: boolean;
  /** Whether a row is hardly ever removed. Then the server remembers for a minute that the row exists. */
  isLasting?(this: void, result: NonNullable<Result>): boolean;
  /** How rows that hardly ever change are cached for longer than others. */
  readonly longer?: LongerCaching;
}

/** How results are cached for longer than others. Whoever changes a row stores an invalidation of it first. */
export interface LongerCaching {
  /** For how long, in seconds. */
  readonly seconds: number;
  /** Reads the invalidations. Resolves to a test whether the rows of an owner may have changed in that time. */
  changes(this: void, read: Read): Promise<(owner: string | number) => boolean>;
}

type Read = <Key, Result>(statement: Statement<Key, Result>, key: Key) => Promise<Result>;

/** Creates a statement whose results requests may take from the server's cache, where those of `statement` are always read. */
export function cacheable<Key, Result>(
  statement: Statement<Key, Result>,
  caching: Caching<Result>,
): Statement<Key, Result> {
  return { ...statement, cached: { ...caching, of: statement } };
}
