import { basename } from 'node:path';
import { detectFormat, formatNamed, formats } from './formats';
import { createProgress } from './progress';
import type { ImportRecord, Parsed } from './record';
import { createRejects, rejectsPathOf } from './rejects';
import { openSource } from './source';
import type { Store } from './store';

/** How many records are stored at a time: bounds memory. */
const RECORDS_AT_ONCE = 5000;

/** Imports one file. Refused rows go to a file of their own and stop nothing. */
export async function importFile(
  path: string,
  store: Store,
  options: { readonly format?: string; readonly rejects?: string },
): Promise<{ rows: number; rejected: number }> {
  const source = await openSource(path);
  const rejects = createRejects(options.rejects ?? rejectsPathOf(path));
  const progress = createProgress(process.stderr, source.totalBytes, basename(path));
  let rows = 0;
  try {
    const format = options.format === undefined ? detectFormat(source.head) : formatNamed(options.format);
    if (format === null) {
      throw new Error(
        `The format must be one of ${formats.map(({ name }) => name).join(', ')}; give --format.`,
      );
    }
    let some: Parsed[] = [];
    const flush = async () => {
      await storeRows(some, store, rejects.add.bind(rejects));
      rows += some.length;
      some = [];
      progress.update(source.bytesRead(), rows, rejects.count);
    };
    for await (const parsed of format.read(source.chunks)) {
      for (const row of parsed) {
        some.push(row);
        if (some.length >= RECORDS_AT_ONCE) await flush();
      }
    }
    await flush();
    return { rows, rejected: rejects.count };
  } finally {
    progress.end();
    await rejects.close();
    await source.close();
  }
}

async function storeRows(
  rows: readonly Parsed[],
  store: Store,
  reject: (line: number, reason: string, source: string) => Promise<void>,
): Promise<void> {
  const records: ImportRecord[] = [];
  const lines: number[] = [];
  for (const row of rows) {
    if ('rejected' in row) await reject(row.line, row.rejected, row.source);
    else for (const record of row.records) lines[records.push(record) - 1] = row.line;
  }
  for (const [place, reason] of await store.add(records)) {
    // A tweet is taken also where the profile in its record is not.
    if (records[place]?.kind === 'user' && lines[place] === lines[place + 1]) continue;
    await reject(lines[place] ?? 0, reason, JSON.stringify(records[place]));
  }
}
