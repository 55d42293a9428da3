import type { Database } from '../../kit/cassandra/database';
import { MIN_ID } from '../../kit/base/ids';
import { createLoad, type Load } from '../../kit/reads/load';
import {
  HOUR_SHARDS,
  hourOf,
  MAX_ROWS_OF_SHARD,
  REMOVED_USE,
  usesAfter,
  usesAfterAuthor,
} from './hashtag.table';

/** A use of a hashtag. */
interface Use {
  readonly authorId: string;
  readonly hashtag: string;
  readonly createdAt: Date;
}

interface StoredUse extends Use {
  readonly tweetId: string;
}

/** How many rows of a partition are read at a time. */
const PAGE_ROWS = 1000;
/** After so many rows of an author in an hour, removed uses included, the author's other ones are skipped. */
export const MAX_ROWS_OF_AUTHOR = 1000;
/** After so many rows, older hours are left out: their uses count least. */
const MAX_ROWS = 500_000;
/** How many hours are read at once: at first, and at most. */
const FIRST_HOURS = 2;
const MAX_HOURS_AT_ONCE = 20;

/**
 * Reads the uses of hashtags in a period, in milliseconds since 1970, the newest hours first, and gives each to `onUse`. It reads a
 * limited number of rows of each author, shard and period, so that nobody can make it read more, however much they post and delete.
 */
export async function readUses(
  database: Database,
  { from, to }: { readonly from: number; readonly to: number },
  onUse: (use: Use) => void,
): Promise<void> {
  const counts = { read: 0 };
  const [oldest, newest] = [hourOf(new Date(from)), hourOf(new Date(to))];
  const hours = Array.from({ length: newest - oldest + 1 }, (_, index) => newest - index);
  const shards = Array.from({ length: HOUR_SHARDS }, (_, shard) => shard);
  for (let n = 0, atOnce = FIRST_HOURS; n < hours.length && counts.read < MAX_ROWS; n += atOnce) {
    // As many hours as there is room for, if they have as many rows as those read so far.
    if (n > 0)
      atOnce = Math.max(
        1,
        Math.min(MAX_HOURS_AT_ONCE, Math.floor(((MAX_ROWS - counts.read) * n) / (counts.read + 1))),
      );
    const next = hours.slice(n, n + atOnce);
    await readPages(
      database,
      next.flatMap((hour) => shards.map((shard) => ({ hour, shard }))),
      counts,
      onUse,
    );
  }
}

/** A shard of an hour, and how far it was read. */
class ShardReading {
  private rows = 0;
  private after: StoredUse | null = null;
  private rowsOfAuthor = 0;

  constructor(private readonly shard: { readonly hour: number; readonly shard: number }) {}

  /** Reads the next page. Resolves to its rows, and whether there may be more to read. */
  async readOn(load: Load, onUse: (use: Use) => void): Promise<{ read: number; isOver: boolean }> {
    const page = await this.nextPage(load);
    for (const use of page) {
      this.rowsOfAuthor = use.authorId === this.after?.authorId ? this.rowsOfAuthor + 1 : 1;
      this.after = use;
      if (this.rowsOfAuthor <= MAX_ROWS_OF_AUTHOR && Number(use.createdAt) !== Number(REMOVED_USE))
        onUse(use);
    }
    this.rows += page.length;
    return { read: page.length, isOver: page.length < PAGE_ROWS || this.rows >= MAX_ROWS_OF_SHARD };
  }

  private nextPage(load: Load): Promise<readonly StoredUse[]> {
    const { shard, after } = this;
    const limit = PAGE_ROWS;
    if (after === null) return load(usesAfterAuthor, { ...shard, after: { authorId: MIN_ID }, limit });
    const isSkipped = this.rowsOfAuthor >= MAX_ROWS_OF_AUTHOR;
    return isSkipped
      ? load(usesAfterAuthor, { ...shard, after, limit })
      : load(usesAfter, { ...shard, after, limit });
  }
}

/** Reads shards page by page, all at once, until they are read or the limit is reached. */
async function readPages(
  database: Database,
  shards: readonly { readonly hour: number; readonly shard: number }[],
  counts: { read: number },
  onUse: (use: Use) => void,
): Promise<void> {
  let readings = shards.map((shard) => new ShardReading(shard));
  while (readings.length > 0 && counts.read < MAX_ROWS) {
    // A load keeps the rows that it has read.
    const load = createLoad(database);
    const left: ShardReading[] = [];
    await Promise.all(
      readings.map(async (reading) => {
        const { read, isOver } = await reading.readOn(load, onUse);
        counts.read += read;
        if (!isOver) left.push(reading);
      }),
    );
    readings = left;
  }
}
