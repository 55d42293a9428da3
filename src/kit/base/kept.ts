/** The size of a cache, for metrics. */
export interface Kept {
  /** How many entries. */
  entries(this: void): number;
  /** How many bytes, as the cache estimates them. */
  bytes(this: void): number;
}
