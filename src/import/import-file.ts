import { basename } from 'node:path';
import { detectFormat, formatNamed, formats } from './formats/formats';
import { createProgress } from './progress';
import type { ImportRecord, Parsed } from './records/record';
import type { Rejects } from './rejects';
import { openSource } from './source';
import type { Store } from './store/store';

/** How many records are stored at a time: bounds memory. */
const RECORDS_AT_ONCE = 5000;

/** Imports one file. Refused rows go to a file of their own and stop nothing. */
export async function importFile(
  path: string,
  store: Store,
  rejects: Rejects,
  formatName?: string,
): Promise<void> {
  const source = await openSource(path);
  const before = rejects.count;
  const progress = createProgress(process.stderr, source.totalBytes, basename(path));
  let rows = 0;
  try {
    const format = formatName === undefined ? detectFormat(source.head) : formatNamed(formatName);
    if (format === null) {
      throw new Error(
        `The format must be one of ${formats.map(({ name }) => name).join(', ')}; give --format.`,
      );
    }
    let some: Parsed[] = [];
    const flush = async () => {
      const stored = some;
      some = [];
      await storeRows(stored, store, (...reject) => rejects.add(path, ...reject));
      rows += stored.length;
      progress.update(source.bytesRead(), rows, rejects.count - before);
    };
    try {
      for await (const parsed of format.read(source.chunks)) {
        for (const row of parsed) {
          some.push(row);
          if (some.length >= RECORDS_AT_ONCE) await flush();
        }
      }
    } finally {
      // Also where the file is damaged: what came before that is taken.
      await flush();
    }
  } finally {
    progress.end();
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
