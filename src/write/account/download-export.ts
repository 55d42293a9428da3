import type { Viewer } from '../../context';
import { requireAccount } from '../../features/viewer/viewer';
import { conflict, notFound } from '../../kit/base/errors';
import type { Database } from '../../kit/cassandra/database';
import { READ_BYTES_PER_POINT } from '../../kit/graphql/admission';
import type { Download } from '../../kit/http/downloads';
import type { RequestLimits } from '../../kit/rate-limits/rate-limits';
import type { ExportedPart } from '../exported';
import { CHUNK_BYTES } from './collect-export';
import { findExport, requireWhole } from './decide-export';
import { writeStoredExport } from './stored-export';

/** Each chunk is read, and compressed anew. */
const POINTS_PER_CHUNK = CHUNK_BYTES / READ_BYTES_PER_POINT;

/**
 * Opens the file of the export that the caller has asked for, and charges the caller for all of it. Throws `NOT_FOUND` if there is none,
 * `CONFLICT` while it is written, or if the account is being removed, and `RATE_LIMITED`.
 */
export async function openExportFile(
  database: Database,
  parts: readonly ExportedPart[],
  viewer: Viewer,
  limits: Pick<RequestLimits, 'charge'>,
): Promise<Download> {
  const userId = await requireAccount(viewer);
  const found = await findExport(database, userId, 'user');
  if (found === null || found.expiresAt <= new Date())
    throw notFound('There is no export: the mutation requestExport asks for one.');
  if (found.finishedAt === null)
    throw conflict(
      'The export must be complete, but is being written: User.accountExport tells how far it is.',
    );
  await requireWhole(database, userId);
  // If points ran out while it is sent, the zip would end without its end.
  limits.charge(found.chunks * POINTS_PER_CHUNK, 0);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  // A failure cuts the answer off. So does a client that leaves, of which nobody needs to be told.
  writeStoredExport(database, parts, found, writable).catch((error: unknown) =>
    writable.abort(error).catch(() => undefined),
  );
  return { name: `export-${userId}.zip`, type: 'application/zip', content: readable };
}
