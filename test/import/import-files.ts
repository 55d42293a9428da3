import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFile } from '../../src/import/import-file';
import { createRejects } from '../../src/import/rejects';
import { createStore } from '../../src/import/store/store';
import { Summary } from '../../src/import/summary';
import type { Harness } from '../support/harness';

/** What an import of some files says at its end. */
interface Imported {
  /** The table, without spaces at the ends of its lines: `rows read 2`. */
  readonly table: Readonly<Record<string, number>>;
  /** The lines and reasons of the rejected rows. */
  readonly rejected: readonly string[];
  /** The rejects file. */
  readonly rejects: string;
  /** Why files were refused as a whole. */
  readonly refused: readonly string[];
}

/** Imports files, given by their names and contents, in one import. */
export async function importFiles(
  { database, config }: Harness,
  files: Readonly<Record<string, string | Uint8Array>>,
  options: { readonly format?: string; readonly besides?: Readonly<Record<string, string>> } = {},
): Promise<Imported> {
  const folder = await mkdtemp(join(tmpdir(), 'murmuration-import-'));
  try {
    const rejects = createRejects(join(folder, 'rejects.csv'));
    const summary = new Summary();
    const store = createStore(database, config);
    const refused: string[] = [];
    for (const [name, content] of Object.entries({ ...options.besides, ...files }))
      await writeFile(join(folder, name), content);
    // What the progress of each file is, says nothing here.
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    for (const name of Object.keys(files)) {
      try {
        await importFile(join(folder, name), { store, rejects, summary }, options.format);
      } catch (error) {
        refused.push(error instanceof Error ? error.message : String(error));
      }
    }
    await rejects.close();
    summary.settle(await store.settle());
    const text = await readFile(rejects.path, 'utf8').catch(() => '');
    const rejected = [...text.matchAll(/^"[^"]*",(\d+),"((?:[^"]|"")*)"/gm)];
    return {
      table: tableOf(summary.toString()),
      rejected: rejected.map(([, line = '', reason = '']) => `${line}: ${reason.replaceAll('""', '"')}`),
      rejects: text,
      refused,
    };
  } finally {
    jest.restoreAllMocks();
    await rm(folder, { recursive: true });
  }
}

function tableOf(text: string): Record<string, number> {
  const lines = text.trimEnd().split('\n');
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', number = ''] = /^ *(.*?) +([\d,]+)$/.exec(line) ?? [];
      return [name, Number(number.replaceAll(',', ''))];
    }),
  );
}
