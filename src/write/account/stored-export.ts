import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { exportChunks, MAX_CHUNK_BYTES } from '../../features/account/account.table';
import { conflict } from '../../kit/base/errors';
import type { Database } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { createLoad } from '../../kit/reads/load';
import type { ExportedPart } from '../exported';
import { bucketOf } from './collect-export';
import type { OwnedExport } from './decide-export';
import { writeExport, type ExportManifest } from './write-export';

/**
 * Writes an export that is finished as a zip. It reads the stored chunks, so the file is the same each time. Throws `CONFLICT` if the
 * export is removed meanwhile.
 */
export function writeStoredExport(
  database: Database,
  parts: readonly ExportedPart[],
  finished: OwnedExport,
  to: WritableStream<Uint8Array>,
): Promise<ExportManifest> {
  return writeExport(
    database,
    finished.userId,
    storedParts(database, parts, finished),
    to,
    finished.requestedAt,
  );
}

/** The parts of an export, as they were collected. They must be read in their order. */
function storedParts(
  database: Database,
  parts: readonly ExportedPart[],
  of: OwnedExport,
): readonly Pick<ExportedPart, 'name' | 'pages'>[] {
  const chunks = readChunks(database, of);
  let next = chunks.next();
  // If nobody asks for the first chunk, its failure must not be an unhandled rejection.
  next.catch(() => undefined);
  return parts.map(({ name }) => ({
    name,
    async *pages() {
      for (;;) {
        const { done, value } = await next;
        if (done === true || value.part !== name) return;
        yield { after: value.after, rows: value.rows, lines: await decompress(value.lines) };
        next = chunks.next();
      }
    },
  }));
}

/** All chunks of an export in their order, one at a time. */
async function* readChunks(
  database: Database,
  { userId, run, chunks }: OwnedExport,
): AsyncGenerator<Row<typeof exportChunks>, undefined> {
  for (let number = 0; number < chunks; number++) {
    const key = { userId, run, bucket: bucketOf(number), number };
    const chunk = await createLoad(database)(exportChunks.get, key);
    if (chunk === null) throw conflict('This export was removed meanwhile: ask for another one.');
    yield chunk;
  }
}

const gunzipWhole = promisify(gunzip);

function decompress(lines: Buffer): Promise<Buffer> {
  return gunzipWhole(lines, { maxOutputLength: MAX_CHUNK_BYTES });
}
