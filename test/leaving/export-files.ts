import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { writeFeatures } from '../../src/app';
import { importExports } from '../../src/import/own/import-exports';
import { createRejects } from '../../src/import/rejects';
import { createStore } from '../../src/import/store/store';
import { Summary } from '../../src/import/summary';
import { exportedParts, writeExport } from '../../src/write/account/write-export';
import type { Harness } from '../support/harness';

/** Writes the export of a person to a file, and resolves to its path. */
export async function writeExportTo(path: string, on: Harness, userId: string): Promise<string> {
  const stream = Writable.toWeb(createWriteStream(path));
  await writeExport(on.database, userId, exportedParts(writeFeatures), stream);
  return path;
}

/** Imports exports. Resolves to what the import says at its end. Rejected rows go to a file in `folder`. */
export async function importExportsInto(into: Harness, paths: readonly string[], folder: string) {
  const { database, config, writeServices: services } = into;
  const store = createStore(database, config);
  const rejects = createRejects(join(folder, 'rejects.csv'));
  const summary = new Summary();
  const failed: string[] = [];
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const fail = (_path: string, error: unknown) => failed.push(error instanceof Error ? error.message : '');
  await importExports(paths, { store, rejects, summary, services, fail });
  await services.outbox.idle();
  await rejects.close();
  jest.restoreAllMocks();
  const [read = '', stored = '', changed = ''] = summary.toString().split('\n');
  const numberIn = (line: string) => Number(line.replaceAll(/\D/g, ''));
  return {
    ...{ failed, rejected: summary.rejected, text: summary.toString() },
    ...{ read: numberIn(read), stored: numberIn(stored), changed: numberIn(changed) },
  };
}
