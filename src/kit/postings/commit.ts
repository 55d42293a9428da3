import { randomBytes } from 'node:crypto';
import { unavailable } from '../base/errors';
import type { Database } from '../cassandra/database';
import { decideUntilWritten } from '../cassandra/decide';
import { writeOf } from '../cassandra/write';
import { segments, type SegmentRow } from './postings.table';
import type { Segment } from './segment';

/** A change of the segments of a list. */
interface Commit {
  /** The segments that become live. */
  readonly added: readonly Pick<Segment, 'segment'>[];
  /** The segments that others have replaced. */
  readonly replaced?: readonly Pick<Segment, 'segment'>[];
  /** Up to when the entries that were added are in segments; unchanged when not given. */
  readonly sealedThrough?: Date;
  /** New values of `superseded`. */
  readonly superseded?: readonly Pick<SegmentRow, 'segment' | 'superseded'>[];
}

/** How many rows of `segments` one transaction changes at most. */
const MAX_COMMITTED_ROWS = 200;

const read = `SELECT maintained FROM segments WHERE list = ? LIMIT 1`;
const set =
  'UPDATE segments SET version = ?, maintained = ?, sealed_through = ? WHERE list = ? IF maintained = ?';

/**
 * Adds segments of entries that the list does not have, whoever else changes the list meanwhile. Nobody but lightweight transactions
 * sets the columns that this sets, because other writes would have timestamps of another clock.
 */
export async function addSegments(
  database: Database,
  list: string,
  added: readonly Pick<Segment, 'segment'>[],
): Promise<void> {
  await commit(database, list, { added }, null);
}

/** Commits what begins a list: up to when its entries are in segments, of which there are none. Another server may have done it. */
export async function beginSegments(database: Database, list: string, sealedThrough: Date): Promise<void> {
  await commit(database, list, { added: [], sealedThrough }, { expected: null });
}

/**
 * Changes the segments of a list as follows from what it was when `maintained` was read. Rejects with `UNAVAILABLE` if others have
 * sealed or merged since: this server may have stood still for so long that it has lost its lease. Segments are added before others
 * are removed: a list that has an entry twice shows it once, so nothing is wrong if the server is killed in between.
 */
export async function commitMaintained(
  database: Database,
  list: string,
  change: Commit,
  maintained: string | null,
): Promise<void> {
  if (!(await commit(database, list, change, { expected: maintained })))
    throw unavailable(new Error(`others must not maintain the list ${list} meanwhile, but have`));
}

/** Resolves to whether the list was as `since` expects. Without that it may be as it is, and does not count as maintained after it. */
async function commit(
  database: Database,
  list: string,
  { added, replaced = [], sealedThrough, superseded = [] }: Commit,
  since: { readonly expected: string | null } | null,
): Promise<boolean> {
  const changedAt = new Date();
  const rows = [
    ...superseded.map((row) => writeOf(segments, { list, ...row })),
    ...added.map(({ segment }) => writeOf(segments, { list, segment, state: 'live', changedAt })),
    ...replaced.map(({ segment }) => writeOf(segments, { list, segment, state: 'replaced', changedAt })),
  ];
  let expected = since?.expected ?? null;
  for (let n = 0; n < Math.max(1, rows.length); n += MAX_COMMITTED_ROWS) {
    const isLast = n + MAX_COMMITTED_ROWS >= rows.length;
    const version = randomBytes(8).toString('hex');
    const isCommitted = await decideUntilWritten(database, { cql: read, params: [list] }, ([row]) => {
      const current = (row as { readonly maintained: string | null } | undefined)?.maintained ?? null;
      // An attempt whose outcome was unknown has been applied.
      if (since !== null && current === version) return { writes: [], result: true };
      if (since !== null && current !== expected) return { writes: [], result: false };
      const next = since === null ? current : version;
      const params = [version, next ?? undefined, isLast ? sealedThrough : undefined, list, current];
      return {
        writes: [...rows.slice(n, n + MAX_COMMITTED_ROWS), { query: set, params }],
        result: true,
      };
    });
    if (!isCommitted) return false;
    expected = version;
  }
  return true;
}
