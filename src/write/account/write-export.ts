import { createHash } from 'node:crypto';
import { configure, ZipWriter } from '@zip.js/zip.js';
import type { Database } from '../../kit/cassandra/database';
import type { ExportedPart } from '../exported';
import type { WriteFeature } from '../write-feature';
import { requireWhole } from './decide-export';

/** The name of the format in the manifest of an export, and the version of its lines. */
export const EXPORT_FORMAT = 'murmuration-export';
export const EXPORT_VERSION = 1;
/** The name of the manifest in the zip. */
export const EXPORT_MANIFEST = 'manifest.json';

/** A file of an export. */
interface ExportedFile {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** The manifest of an export: whose it is, and which files must be in it. */
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
 * Writes the data of a person as a zip of files of JSON lines, with a manifest at its end. The data are read and written in pages, so
 * memory does not depend on their size. `parts` are those that features declare or, for an export that was collected before, those of
 * `storedParts`. Throws if there is no such user, or its account is being removed.
 */
export async function writeExport(
  database: Database,
  userId: string,
  parts: readonly Pick<ExportedPart, 'name' | 'pages'>[],
  to: WritableStream<Uint8Array>,
  exportedAt = new Date(),
): Promise<ExportManifest> {
  const username = await requireWhole(database, userId);
  const zip = new ZipWriter(to, { level: 6, lastModDate: exportedAt });
  const files: ExportedFile[] = [];
  for (const part of parts) {
    const file = { name: `${part.name}.jsonl`, rows: 0, bytes: 0 };
    const hash = createHash('sha256');
    const content = async function* () {
      for await (const { rows, lines } of part.pages(database, userId, '')) {
        hash.update(lines);
        file.rows += rows;
        file.bytes += lines.length;
        yield lines;
      }
    };
    await zip.add(file.name, ReadableStream.from<Uint8Array>(content()));
    files.push({ ...file, sha256: hash.digest('hex') });
  }
  // Rows that were removed meanwhile are missing, so nobody must take this export for a complete one.
  await requireWhole(database, userId);
  const manifest: ExportManifest = {
    ...{ format: EXPORT_FORMAT, version: EXPORT_VERSION, userId, username },
    ...{ exportedAt: exportedAt.toISOString(), files },
  };
  await zip.add(EXPORT_MANIFEST, new Blob([`${JSON.stringify(manifest, null, 2)}\n`]).stream());
  await zip.close();
  return manifest;
}
