import { mergeRuns } from '../../kit/lists/merge';
import type { TopReading, TopSlice } from './top-reading';
import { compareRows, type TopRow } from './top-position';

/** How many rows are read at first, of all owners together. */
const FIRST_ROWS = 200;
/** The most rows that one read of an owner's partition asks for. */
const MAX_ROWS_PER_READ = 1000;
/**
 * How many owners are read on at a time. If there are more, all owners at the magnitude of the end are, unless that is the
 * magnitude of one like.
 */
const MAX_OWNERS_AT_ONCE = 64;

/**
 * Returns how many rows are read at first of each owner, if `firstRows` are read of all owners together. For several owners that is a power
 * of two, so that the rows that a server keeps of an owner also serve lists with more or fewer owners.
 */
function firstSize(firstRows: number, owners: number): number {
  return owners < 2 ? firstRows : Math.max(4, 2 ** Math.ceil(Math.log2(firstRows / owners)));
}

/** The result of a round of reads. */
interface Round {
  /** The rows up to the end that earlier rounds did not have, in the direction of reading, each once. */
  readonly complete: readonly TopRow[];
  /** The rows that were read beyond the end, where rows of other owners may still be missing. */
  readonly ahead: readonly TopRow[];
  /** The position up to which every owner was read; undefined when all were read to their ends. */
  readonly end: TopRow | undefined;
  /** How many rows were read after the first round, which needs some rows of each owner, however many owners there are. */
  readonly furtherRows: number;
  /** Whether a bound of an owner ended its read. */
  readonly isCut: boolean;
}

/** An owner whose partition may have more rows. */
interface Unread {
  readonly owner: string;
  /** The last row that was read; at first, the position from which to read. */
  readonly after: TopRow;
  /** The rows of its last read. */
  readonly rows: readonly TopRow[];
}

/** Merges the partitions of all owners in order (a k-way merge), in rounds: each round reads on where rows are missing. */
export async function* mergeOwners<N>(
  { load, sources: { owners, top }, bounds: { firstRows = FIRST_ROWS }, listed }: TopReading<N>,
  start: TopRow,
  reversed: boolean,
): AsyncGenerator<Round, undefined> {
  const compare = (a: TopRow, b: TopRow) => (reversed ? compareRows(a, b) : compareRows(b, a));
  const readOn = async ({ owner }: Unread, { magnitude, tweetId }: TopRow, limit: number) => {
    const slice: TopSlice = {
      after: [magnitude, tweetId],
      reversed,
      limit,
      mayBeCached: listed !== null,
    };
    const { rows, end, isCut = false } = await top(load, owner, slice);
    return { rows, isCut, unread: end === null ? [] : [{ owner, after: end, rows }] };
  };
  let unread: Unread[] = (await owners(load)).map((owner) => ({ owner, after: start, rows: [] }));
  let ahead: readonly TopRow[] = [];
  let furtherRows = 0;
  let size = firstSize(firstRows, unread.length);
  // All owners of a round are read from the same position, so that their reads are one request.
  let after = start;
  for (let next = new Set(unread), isFirst = true; ; isFirst = false) {
    const read = await Promise.all([...next].map((owner) => readOn(owner, after, size)));
    if (!isFirst) furtherRows += read.reduce((sum, { rows }) => sum + rows.length, 0);
    unread = unread.filter((owner) => !next.has(owner)).concat(...read.map((result) => result.unread));
    unread.sort((a, b) => compare(a.after, b.after));
    const runs = [ahead, ...read.map(({ rows }) => rows)].map((rows) => ({ rows, end: null }));
    const {
      certain,
      ahead: beyond,
      end,
    } = mergeRuns([...runs, { rows: [], end: unread[0]?.after ?? null }], {
      keyOf: (row: TopRow) => row,
      compare,
    });
    ahead = beyond;
    const isCut = read.some((result) => result.isCut);
    yield { complete: certain, ahead, end: end ?? undefined, furtherRows, isCut };
    if (end === null) return;
    size = Math.min(size * 2, MAX_ROWS_PER_READ);
    // Rows that come again are at most half of a read: owners that were read far beyond the end wait.
    const aheadOf = ({ rows }: Unread) => rows.filter((row) => compare(row, end) > 0).length;
    next = new Set(nextOwners(unread, end).filter((owner) => aheadOf(owner) <= size / 2));
    after = end;
  }
}

/** Returns the owners to read on. They are sorted by how far they were read. */
function nextOwners(unread: readonly Unread[], { magnitude }: TopRow): readonly Unread[] {
  return magnitude > 1 && unread.length > MAX_OWNERS_AT_ONCE
    ? unread.filter(({ after }) => after.magnitude === magnitude)
    : unread.slice(0, MAX_OWNERS_AT_ONCE);
}
