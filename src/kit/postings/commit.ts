import { randomBytes } from 'node:crypto';
import { unavailable } from '../base/errors';
import type { Database } from '../cassandra/database';
import { decideUntilWritten } from '../cassandra/decide';
import { writeOf } from '../cassandra/write';
import { addChange, readChanges } from './changes';
import { CHANGES, segments, type SegmentRow } from './postings.table';
import type { IndexPart, PartView } from './part';
import type { Segment } from './segment';

/** A change of the segments of a part of a list. */
interface Commit {
  /** The segments that become live. */
  readonly added: readonly Pick<Segment, 'segment'>[];
  /** The segments that others have replaced. */
  readonly replaced?: readonly Pick<Segment, 'segment'>[];
  /** The moment up to which the added entries are in segments; unchanged when not given. */
  readonly sealedThrough?: Date;
  /** New values of `superseded`. */
  readonly superseded?: readonly Pick<SegmentRow, 'segment' | 'superseded'>[];
}

/** How many rows of `segments` one transaction changes at most. */
const MAX_COMMITTED_ROWS = 200;

/** The first row has the changes, if there are any. */
const read =
  'SELECT maintained, version, sealed_through AS "sealedThrough", changes FROM segments WHERE list = ? LIMIT 1';
const set =
  'UPDATE segments SET version = ?, maintained = ?, sealed_through = ? WHERE list = ? IF maintained = ? AND version = ?';

/** The columns of a part that a commit reads. */
interface Head {
  readonly maintained: string | null;
  readonly version: string | null;
  readonly sealedThrough: Date | null;
  readonly changes: string | null;
}

/** The state of a part that a commit expects. */
type Expected = Pick<PartView, 'maintained' | 'version' | 'sealedThrough'>;

/**
 * Adds segments to a part, whose entries the list does not have, whoever else changes the list meanwhile. Only lightweight transactions set
 * the columns that this sets, because other writes would have timestamps of another clock.
 */
export async function addSegments(
  database: Database,
  part: IndexPart,
  added: readonly Pick<Segment, 'segment'>[],
): Promise<void> {
  await commit(database, part, { added }, null);
}

/**
 * Commits the beginning of a part: the moment up to which its entries are in segments, of which there are none. Another server may have
 * done it.
 */
export async function beginSegments(database: Database, part: IndexPart, sealedThrough: Date): Promise<void> {
  const nothing = { maintained: null, version: null, sealedThrough: NaN };
  await commit(database, part, { added: [], sealedThrough }, nothing);
}

/**
 * Changes the segments of a part by the state in which it was read. Rejects with `UNAVAILABLE` if others have sealed it, or merged or
 * marked the same segments since: this server may have stood still for so long that it has lost its lease. Segments are added before others
 * are removed: a list that has an entry twice shows it once, so nothing is wrong if the server is killed in between.
 */
export async function commitMaintained(database: Database, part: PartView, change: Commit): Promise<void> {
  if (!(await commit(database, part, change, part)))
    throw unavailable(new Error(`others must not maintain the list ${part.name} meanwhile, but have`));
}

/** Whether what others have changed in a part since it was as expected concerns none of some segments. */
function isApart(head: Head | undefined, expected: Expected, ids: ReadonlySet<string>): boolean {
  if (head === undefined || Number(head.sealedThrough ?? NaN) !== expected.sealedThrough) return false;
  const changed = readChanges(head.changes, expected.version, head.version);
  return changed !== null && changed.every((segment) => !ids.has(segment));
}

/**
 * Resolves to whether the part was as `since` expects. Without `since`, any state will do, and the part does not count as maintained
 * afterwards.
 */
async function commit(
  database: Database,
  { name: list }: IndexPart,
  { added, replaced = [], sealedThrough, superseded = [] }: Commit,
  since: Expected | null,
): Promise<boolean> {
  const changedAt = new Date();
  const changed = [
    ...superseded,
    ...added.map(({ segment }) => ({ segment, state: 'live', changedAt })),
    ...replaced.map(({ segment }) => ({ segment, state: 'replaced', changedAt })),
  ];
  const ids = new Set(changed.map(({ segment }) => segment));
  let expected = since;
  for (let n = 0; n < Math.max(1, changed.length); n += MAX_COMMITTED_ROWS) {
    const isLast = n + MAX_COMMITTED_ROWS >= changed.length;
    const rows = changed.slice(n, n + MAX_COMMITTED_ROWS);
    const version = randomBytes(8).toString('hex');
    const isCommitted = await decideUntilWritten(database, { cql: read, params: [list] }, ([row]) => {
      const head = row as Head | undefined;
      const [current, before] = [head?.maintained ?? null, head?.version ?? null];
      // An attempt whose outcome was unknown has been applied.
      if (before === version) return { writes: [], result: true };
      if (expected && current !== expected.maintained && !isApart(head, expected, ids))
        return { writes: [], result: false };
      const next = since === null ? current : version;
      const change = { version, segments: rows.map(({ segment }) => segment) };
      const changes = addChange(head?.changes ?? null, before, change);
      const params = [
        ...[version, next ?? undefined, isLast ? sealedThrough : undefined],
        ...[list, current, before],
      ];
      const writes = [
        ...rows.map((one) => writeOf(segments, { list, ...one })),
        writeOf(segments, { list, segment: CHANGES, changes }),
        { query: set, params },
      ];
      return { writes, result: true };
    });
    if (!isCommitted) return false;
    if (expected) expected = { ...expected, maintained: version, version };
  }
  return true;
}

const readParts = 'SELECT parts FROM segments WHERE list = ? LIMIT 1';
const setParts = 'UPDATE segments SET parts = ?, divided_at = ? WHERE list = ? IF parts = ?';

/** Divides a list into more parts, never into fewer, because readers would not look in the others. */
export async function divideList(database: Database, list: string, parts: number): Promise<void> {
  await decideUntilWritten(database, { cql: readParts, params: [list] }, ([row]) => {
    const current = (row as { readonly parts: number | null } | undefined)?.parts ?? null;
    const writes =
      (current ?? 1) >= parts ? [] : [{ query: setParts, params: [parts, new Date(), list, current] }];
    return { writes, result: null };
  });
}
