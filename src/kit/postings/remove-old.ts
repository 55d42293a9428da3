import type { Database } from '../cassandra/database';
import { createBulkWriter } from '../writes/bulk';
import { createGroupingWriter } from '../writes/grouping-writer';
import { readMany } from '../reads/load';
import { partitionRemovalOf, removalOf } from '../cassandra/write';
import {
  CHANGES,
  termShardOf,
  postings,
  segmentEntries,
  segments,
  segmentTerms,
  unsealedEntries,
  type SegmentRow,
} from './postings.table';
import type { IndexPart, PartView } from './part';
import { CHUNK_ENTRIES, nameBounds, nameChunk } from './segment';
import { timeSlotAt } from './view';

/** How long servers may read what was replaced, in milliseconds: longer than any request takes. */
const REPLACED_MS = 600_000;
/** A segment that was not committed after so long never will be, because its server has ended. */
const BUILDING_MS = 6 * 3_600_000;
/** How many rows of the terms of a segment are read at a time. */
const TERM_ROWS_AT_ONCE = 50;

/** The longest period that is sealed at once, in milliseconds. */
export const MAX_SEALED_MS = 12 * 3_600_000;
/** Slots of so long ago are removed, also if that was done before: a server may have been killed before it removed them. */
const REMOVED_AGAIN_MS = 2 * MAX_SEALED_MS;

/** The columns of `segments` that tell whether a segment is old: the bounds and changes of a large part would be megabytes. */
type SegmentState = Pick<SegmentRow, 'segment' | 'state' | 'changedAt'>;
const readStates =
  'SELECT CAST(segment AS text) AS segment, state, changed_at AS "changedAt" FROM segments WHERE list = ?';

/** Removes the segments of a part that nobody reads any more. Resolves to their number. */
export async function removeOldSegments(database: Database, part: IndexPart): Promise<number> {
  const old: string[] = [];
  for await (const row of database.stream(readStates, [part.name]))
    if (isOld(row as SegmentState)) old.push(String(row['segment']));
  for (const segment of old) {
    const [row] = await readMany(database, segments.get, [{ list: part.name, segment }]);
    if (row) await removeSegment(database, part, row);
  }
  return old.length;
}

function isOld({ segment, state, changedAt }: SegmentState): boolean {
  return (
    segment !== CHANGES &&
    state !== 'live' &&
    Date.now() - Number(changedAt ?? 0) > (state === 'replaced' ? REPLACED_MS : BUILDING_MS)
  );
}

/**
 * Removes the unsealed entries of a part that an earlier sealing, up to a moment, has moved into segments. The entries of the last sealing
 * stay, because a server that has just read the segments as they were before may be about to read them. Does nothing if the sealing that has
 * just ended did not enter a new slot: the one that did has removed all that can be removed.
 */
export async function removeSealed(
  database: Database,
  { name: list, sealedThrough }: Pick<PartView, 'name' | 'sealedThrough'>,
  through: number,
): Promise<void> {
  if (timeSlotAt(sealedThrough) === timeSlotAt(through)) return;
  const writer = createBulkWriter(database)();
  const end = timeSlotAt(through - REPLACED_MS);
  for (let slot = end - timeSlotAt(REMOVED_AGAIN_MS); slot < end; slot++)
    await writer.put(partitionRemovalOf(unsealedEntries, { slot, list }));
  await writer.flush();
}

/** Removes a segment. Its own row goes last, so that the removal is repeated if it is interrupted. */
async function removeSegment(
  database: Database,
  { list, name }: IndexPart,
  { segment, firstRank, firstId, size, volume: ofRow }: SegmentRow,
): Promise<void> {
  const writer = createGroupingWriter(database);
  const place = { rank: firstRank ?? 0, id: firstId ?? '0' };
  const volume = ofRow ?? 0;
  for (let after: number[] | undefined, isLast = false; !isLast;) {
    const page = { segment, after, limit: TERM_ROWS_AT_ONCE };
    const [rows = []] = await readMany(database, segmentTerms.page, [page]);
    for (const term of rows.flatMap(({ terms }) => terms ?? []))
      await writer.put(
        removalOf(postings, { shard: termShardOf(term), list, volume, term, ...place, segment }),
      );
    after = rows.slice(-1).map(({ chunk }) => chunk);
    isLast = rows.length < TERM_ROWS_AT_ONCE;
  }
  for (let n = 0; n * CHUNK_ENTRIES < (size ?? 0); n++)
    await writer.put(partitionRemovalOf(segmentEntries, { chunk: nameChunk({ segment }, n) }));
  await writer.put(partitionRemovalOf(segmentEntries, { chunk: nameBounds({ segment }) }));
  await writer.flush();
  await writer.put(partitionRemovalOf(segmentTerms, { segment }));
  await writer.flush();
  await writer.put(removalOf(segments, { list: name, segment }));
  await writer.flush();
}
