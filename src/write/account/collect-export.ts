import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { exportChunkHeads } from '../../features/account/account.table';
import { isConflict, isNotFound } from '../../kit/base/errors';
import type { Database } from '../../kit/cassandra/database';
import { decideUntilWritten } from '../../kit/cassandra/decide';
import { createLoad } from '../../kit/reads/load';
import { growingTask, type DeclaredHandler } from '../../kit/work/handler';
import type { ExportedPage, ExportedPart } from '../exported';
import type { WriteFeature } from '../write-feature';
import type { WriteServices } from '../write-services';
import {
  beginExport,
  CHUNKS_PER_BUCKET,
  findExport,
  keptSeconds,
  recordProgress,
  removeChunks,
  requireWhole,
  type OwnedExport,
} from './decide-export';
import { exportedParts } from './write-export';

/** The kind of the task by which an export is written. */
export const EXPORT_ACCOUNT = 'exportAccount';

/** A chunk ends with the page that brings it to so many bytes of lines, or so many lines. */
export const CHUNK_BYTES = 256 * 1024;
const CHUNK_ROWS = 1000;

/** A chunk without what is in it. */
interface ChunkHead {
  readonly number: number;
  readonly part: string;
  readonly after: string;
  readonly rows: number;
  readonly totalRows: number;
}

const read =
  'SELECT number, part, after, rows, total_rows AS "totalRows" FROM export_chunks WHERE user_id = ? AND run = ? AND bucket = ? AND number = ?';
const insert =
  'INSERT INTO export_chunks (user_id, run, bucket, number, part, after, rows, total_rows, lines) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) IF NOT EXISTS USING TTL ?';

/**
 * Writes an export chunk by chunk, and yields how far it is after each. It goes on after the last chunk that is there, whoever wrote it. If
 * two servers write one export, the second one at a chunk goes on after the chunk of the first. Throws if the account is being removed, and
 * ends early if somebody else has finished or removed the export. Only tests set `chunkRows`.
 */
export async function* collectExport(
  database: Database,
  parts: readonly ExportedPart[],
  begun: OwnedExport,
  { chunkRows = CHUNK_ROWS } = {},
): AsyncGenerator<OwnedExport> {
  if (begun.finishedAt !== null) return;
  const progressAt = (chunk: ChunkHead | null): OwnedExport =>
    chunk === null ? begun : { ...begun, chunks: chunk.number + 1, rows: chunk.totalRows };
  let last = await findLastChunk(database, begun);
  for (let isWhole = false; !isWhole;) {
    isWhole = true;
    for await (const chunk of chunksAfter(database, parts, begun.userId, last, chunkRows)) {
      // Rows that were removed meanwhile are missing, so nobody must take this export for a complete one.
      await requireWhole(database, begun.userId);
      last = await storeChunk(database, begun, chunk);
      if (!(await recordProgress(database, progressAt(last)))) return;
      yield progressAt(last);
      isWhole = isSame(last, chunk);
      if (!isWhole) break;
    }
  }
  await requireWhole(database, begun.userId);
  const finished = { ...progressAt(last), finishedAt: new Date() };
  if (await recordProgress(database, finished)) yield finished;
}

/** Asks for the export of what a user has. Resolves to the one that is there, if that was asked for within a day. */
export async function requestExport(
  { database, outbox }: Pick<WriteServices, 'database' | 'outbox'>,
  userId: string,
): Promise<OwnedExport> {
  const run = randomUUID();
  const prepared = await outbox.prepareTask(EXPORT_ACCOUNT, { userId, run });
  try {
    // The task comes before the decision: otherwise nobody would write the export of a server that is killed.
    await outbox.enqueue(prepared);
    return await beginExport(database, userId, 'user', run);
  } finally {
    outbox.runInBackground(prepared.task);
  }
}

/** Writes the exports that users ask for. */
export function exportHandler(
  { database }: WriteServices,
  features: readonly WriteFeature[],
): DeclaredHandler {
  const parts = exportedParts(features);
  const work = { rows: 2 * CHUNK_ROWS, person: ({ userId }: Readonly<Record<string, string>>) => userId };
  return growingTask(work, async ({ userId = '', run = '' }, task) => {
    const isCurrent = (found: OwnedExport | null): found is OwnedExport => found?.run === run;
    const begun = await findExport(database, userId, 'user');
    try {
      if (isCurrent(begun))
        for await (const { chunks } of collectExport(database, parts, begun))
          await task.saveCheckpoint(String(chunks));
    } catch (error) {
      // The user leaves: the deletion removes what is there.
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
    // Chunks that were written after another export took the place of this one are removed.
    if (!isCurrent(await findExport(database, userId, 'user'))) await removeChunks(database, userId, run);
  });
}

/** The last of the chunks that follow each other without a gap; null if there is none. */
async function findLastChunk(database: Database, begun: OwnedExport): Promise<ChunkHead | null> {
  const { userId, run } = begun;
  let last: ChunkHead | null = null;
  for (let number = Math.max(0, begun.chunks - 1); ; number++) {
    const bucket = bucketOf(number);
    const found: ChunkHead | null = await createLoad(database)(exportChunkHeads.get, {
      ...{ userId, run, bucket, number },
    });
    if (found === null) return last;
    last = found;
  }
}

/** The partition of a chunk. */
export function bucketOf(number: number): number {
  return Math.floor(number / CHUNKS_PER_BUCKET);
}

/** A chunk that is not stored yet. */
interface Chunk extends ChunkHead {
  readonly lines: Buffer;
}

/** Reads everything after a chunk, or everything for null, in chunks. */
async function* chunksAfter(
  database: Database,
  parts: readonly ExportedPart[],
  userId: string,
  last: ChunkHead | null,
  chunkRows: number,
): AsyncGenerator<Chunk> {
  let { number, totalRows } = last ?? { number: -1, totalRows: 0 };
  const first = last === null ? 0 : parts.findIndex(({ name }) => name === last.part);
  for (const [index, part] of parts.entries()) {
    if (index < first) continue;
    const after = index === first ? (last?.after ?? '') : '';
    for await (const page of joinPages(part.pages(database, userId, after), chunkRows))
      yield { ...page, part: part.name, number: ++number, totalRows: (totalRows += page.rows) };
  }
}

/** Joins pages until they are large enough for a chunk. */
async function* joinPages(
  pages: AsyncIterable<ExportedPage>,
  chunkRows: number,
): AsyncGenerator<ExportedPage> {
  let pending: ExportedPage[] = [];
  let [bytes, rows] = [0, 0];
  const join = () => {
    const joined = {
      after: pending.at(-1)?.after ?? '',
      rows,
      lines: Buffer.concat(pending.map(({ lines }) => lines)),
    };
    [pending, bytes, rows] = [[], 0, 0];
    return joined;
  };
  for await (const page of pages) {
    pending.push(page);
    bytes += page.lines.length;
    rows += page.rows;
    if (bytes >= CHUNK_BYTES || rows >= chunkRows) yield join();
  }
  if (rows > 0) yield join();
}

const compress = promisify(gzip);

/** Stores a chunk, unless there is one with its number. Resolves to the one that is there. */
async function storeChunk(database: Database, of: OwnedExport, chunk: Chunk): Promise<ChunkHead> {
  const { number, part, after, rows, totalRows } = chunk;
  const lines = await compress(chunk.lines);
  const key = [of.userId, of.run, bucketOf(number), number];
  const params = [...key, part, after, rows, totalRows, lines, keptSeconds(of)];
  // There will hardly be one.
  const ahead = Promise.resolve([]);
  return decideUntilWritten(database, { cql: read, params: key, ahead }, ([row]) => ({
    writes: row === undefined ? [{ query: insert, params }] : [],
    result: (row as ChunkHead | undefined) ?? chunk,
  }));
}

function isSame(stored: ChunkHead, chunk: ChunkHead): boolean {
  return stored.part === chunk.part && stored.after === chunk.after && stored.rows === chunk.rows;
}
