import type { Viewer } from '../../context';
import { requireAccount } from '../../features/viewer/viewer';
import { conflict, notFound } from '../../kit/base/errors';
import type { Database } from '../../kit/cassandra/database';
import type { Download } from '../../kit/http/downloads';
import type { ExportedPart } from '../exported';
import { findExport, requireWhole } from './decide-export';
import { writeStoredExport } from './stored-export';

/**
 * Opens the file of the export that the caller has asked for. Throws `NOT_FOUND` if there is none, and `CONFLICT` while it is written, or
 * if the account is being removed.
 */
export async function openExportFile(
  database: Database,
  parts: readonly ExportedPart[],
  viewer: Viewer,
): Promise<Download> {
  const userId = await requireAccount(viewer);
  const found = await findExport(database, userId, 'user');
  if (found === null || found.expiresAt < new Date())
    throw notFound('There is no export: the mutation requestExport asks for one.');
  if (found.finishedAt === null)
    throw conflict(
      'The export must be complete, but is being written: User.accountExport tells how far it is.',
    );
  await requireWhole(database, userId);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  // A failure cuts the answer off. So does a client that leaves, of which nobody needs to be told.
  writeStoredExport(database, parts, found, writable).catch((error: unknown) =>
    writable.abort(error).catch(() => undefined),
  );
  return { name: `export-${userId}.zip`, type: 'application/zip', content: readable };
}
