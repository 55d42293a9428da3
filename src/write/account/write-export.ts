import { createHash } from 'node:crypto';
import { configure, ZipWriter } from '@zip.js/zip.js';
import { accountDeletions, deletionReceipts } from '../../features/account/account.table';
import { receiptOf } from '../../features/account/receipt';
import { users } from '../../features/user/user.table';
import type { Database } from '../../kit/cassandra/database';
import { createLoad } from '../../kit/reads/load';
import type { ExportedPart } from '../exported';
import type { WriteFeature } from '../write-feature';

/** What an export is named by in its manifest, and the version of its lines. */
export const EXPORT_FORMAT = 'murmuration-export';
export const EXPORT_VERSION = 1;
/** The name of the manifest in the zip. */
export const MANIFEST = 'manifest.json';

/** A file of an export. */
export interface ExportedFile {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** What an export says of itself: whose it is, and what must be in it. */
export interface ExportManifest {
  readonly format: typeof EXPORT_FORMAT;
  readonly version: number;
  readonly userId: string;
  readonly username: string;
  readonly exportedAt: string;
  readonly files: readonly ExportedFile[];
}

// Workers would have to be bundled, and the work is little.
configure({ useWebWorkers: false });

/** The parts of an export, by all features. Throws if two have one name. */
export function exportedParts(features: readonly WriteFeature[]): readonly ExportedPart[] {
  const parts = features.flatMap(({ exported = [] }) => exported);
  const names = parts.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two parts of an export are named ${twice}: rename one of them.`);
  return parts;
}

/**
 * Writes what a person has as a zip of files of JSON lines, with a manifest at its end. It is read and written in pages, so memory does not
 * depend on how much that is. Throws if there is no such user, or its account is being removed.
 */
export async function writeExport(
  database: Database,
  userId: string,
  parts: readonly ExportedPart[],
  to: WritableStream<Uint8Array>,
  onRows: (rows: number) => void = () => undefined,
): Promise<ExportManifest> {
  const username = await requireWhole(database, userId);
  const exportedAt = new Date();
  const zip = new ZipWriter(to, { level: 6, lastModDate: exportedAt });
  const files: ExportedFile[] = [];
  let total = 0;
  for (const part of parts) {
    const file = { name: `${part.name}.jsonl`, rows: 0, bytes: 0 };
    const hash = createHash('sha256');
    const content = async function* () {
      for await (const { lines } of part.pages(database, userId, '')) {
        const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
        hash.update(bytes);
        file.rows += lines.length;
        file.bytes += bytes.length;
        onRows((total += lines.length));
        yield bytes;
      }
    };
    await zip.add(file.name, ReadableStream.from<Uint8Array>(content()));
    files.push({ ...file, sha256: hash.digest('hex') });
  }
  // Rows that were removed meanwhile are missing, so nobody must take this for all there was.
  await requireWhole(database, userId);
  const manifest: ExportManifest = {
    ...{ format: EXPORT_FORMAT, version: EXPORT_VERSION, userId, username },
    ...{ exportedAt: exportedAt.toISOString(), files },
  };
  await zip.add(MANIFEST, new Blob([`${JSON.stringify(manifest, null, 2)}\n`]).stream());
  await zip.close();
  return manifest;
}

/** Resolves to the username of somebody who has all that can be exported. Throws if the account was deleted, or is being removed. */
async function requireWhole(database: Database, userId: string): Promise<string> {
  const load = createLoad(database);
  const [user, deletion, receipt] = await Promise.all([
    load(users.get, { userId }),
    load(accountDeletions.get, { userId }),
    load(deletionReceipts.get, { receipt: receiptOf(userId) }),
  ]);
  if (receipt !== null || deletion?.state === 'removed')
    throw new Error(`The account of user ${userId} was deleted: nothing is left to export.`);
  if (deletion?.state === 'started')
    throw new Error(`The account of user ${userId} is being deleted, so it cannot be exported any more.`);
  if (user === null) throw new Error(`There is no user with the id ${userId}.`);
  return user.username;
}
