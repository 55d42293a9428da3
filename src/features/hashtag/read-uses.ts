import type { Database } from '../../kit/cassandra/database';
import { MIN_ID } from '../../kit/base/ids';
import { createLoad, type Load } from '../../kit/reads/load';
import { AUTHOR_HASHES, MIN_AUTHOR_HASH } from './author-hash';
import { HOUR_SHARDS, hourOf, MAX_ROWS_OF_TRENDS, usesAfter, usesAfterAuthor } from './hashtag.table';

/** A use of a hashtag. */
export interface Use {
  readonly authorId: string;
  readonly authorHash: number;
  readonly hashtag: string;
  readonly createdAt: Date;
}

interface StoredUse extends Use {
  readonly tweetId: string;
}

/** The authors of whom all uses were read: those whose hash is less than a number. */
interface AuthorSample {
  readonly hashBelow: number;
  /** The part of all hashes that are less, so about the part of all authors: 1 if the uses of all of them were read. */
  readonly share: number;
}

/** How many rows of a partition are read at a time, at most. */
const MAX_PAGE_ROWS = 1000;
/** After so many rows of an author in an hour, removed uses included, the author's other ones are skipped. */
export const MAX_ROWS_OF_AUTHOR = 1000;
/** The divisor of the rows that may still be read: a round asks for that part of them at once. */
const ROUND_DIVISOR = 4;
/** How many partitions are read at once, at most: a day. */
const MAX_AT_ONCE = 200;

/**
 * Reads the uses of hashtags in a period, in milliseconds since 1970, and gives each to `onUse`. It reads at most `maxRows` rows, so that
 * nobody can make it read more, however much they post and delete.
 *
 * If there are more, those who used hashtags are a sample: all uses by the authors with the least hashes, in all hours (bottom-k, or KMV:
 * Cohen 1997; Beyer et al., SIGMOD 2007). `onUse` is also given some uses by others, which the caller must leave out. A count of the
 * sample, divided by its share, is an estimate without bias of the same count of all authors.
 */
export async function readUses(
  database: Database,
  { from, to }: { readonly from: number; readonly to: number },
  onUse: (use: Use) => void,
  maxRows = MAX_ROWS_OF_TRENDS,
): Promise<AuthorSample> {
  let unfinished = listShards(hourOf(new Date(from)), hourOf(new Date(to)));
  let left = maxRows;
  const pageRows = Math.floor(maxRows / (ROUND_DIVISOR * unfinished.length));
  while (unfinished.length > 0 && left > 0) {
    // A load keeps the rows that it has read.
    const load = createLoad(database);
    const limit = Math.min(Math.max(pageRows, 1), MAX_PAGE_ROWS, left);
    const atOnce = Math.min(Math.max(Math.floor(left / (ROUND_DIVISOR * limit)), 1), MAX_AT_ONCE);
    // The sample ends where the first of them ends, so rows of those that are ahead would be of no use.
    const next = unfinished.sort((a, b) => a.hash - b.hash).slice(0, atOnce);
    const counts = await Promise.all(next.map((reading) => reading.readOn(load, limit, onUse)));
    for (const count of counts) left -= count;
    unfinished = unfinished.filter(({ isOver }) => !isOver);
  }
  // The author of the last row of a shard may have more.
  const hashBelow = Math.min(MIN_AUTHOR_HASH + AUTHOR_HASHES, ...unfinished.map(({ hash }) => hash));
  return { hashBelow, share: (hashBelow - MIN_AUTHOR_HASH) / AUTHOR_HASHES };
}

function listShards(oldest: number, newest: number): ShardReading[] {
  return Array.from(
    { length: (newest - oldest + 1) * HOUR_SHARDS },
    (_, n) => new ShardReading({ hour: oldest + Math.floor(n / HOUR_SHARDS), shard: n % HOUR_SHARDS }),
  );
}

/** A shard of an hour, and how far it was read. */
class ShardReading {
  /** Whether all was read. */
  isOver = false;
  private after: StoredUse | null = null;
  private rowsOfAuthor = 0;

  constructor(private readonly shard: { readonly hour: number; readonly shard: number }) {}

  /** All uses by authors with a lesser hash were read. */
  get hash(): number {
    return this.after?.authorHash ?? MIN_AUTHOR_HASH;
  }

  /** Reads the next page, and resolves to the number of its rows. */
  async readOn(load: Load, limit: number, onUse: (use: Use) => void): Promise<number> {
    const page = await this.nextPage(load, limit);
    for (const use of page) {
      this.rowsOfAuthor = use.authorId === this.after?.authorId ? this.rowsOfAuthor + 1 : 1;
      this.after = use;
      if (this.rowsOfAuthor <= MAX_ROWS_OF_AUTHOR) onUse(use);
    }
    this.isOver = page.length < limit;
    return page.length;
  }

  private nextPage(load: Load, limit: number): Promise<readonly StoredUse[]> {
    const { shard, after } = this;
    if (after === null) {
      const beforeAll = { authorHash: MIN_AUTHOR_HASH, authorId: MIN_ID };
      return load(usesAfterAuthor, { ...shard, after: beforeAll, limit });
    }
    const isSkipped = this.rowsOfAuthor >= MAX_ROWS_OF_AUTHOR;
    return isSkipped
      ? load(usesAfterAuthor, { ...shard, after, limit })
      : load(usesAfter, { ...shard, after, limit });
  }
}
