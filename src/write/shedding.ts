/** When a server stops pushing the tweets of authors with many followers, because it is behind. */
export interface Shedding {
  /** How many milliseconds a fan-out may wait for its turn; 0 sheds nothing. */
  readonly afterMs: number;
  /** Counts an author who is pulled from now on. */
  count(): void;
  /** How many authors this server has begun to pull. */
  authors(): number;
}

/** Creates the shedding of a server. */
export function createShedding(afterSeconds: number): Shedding {
  let authors = 0;
  return {
    afterMs: afterSeconds * 1000,
    count() {
      authors++;
    },
    authors: () => authors,
  };
}
