import { basename } from 'node:path';
import { detectFormat, formatNamed, formats } from './formats/formats';
import { createProgress } from './progress';
import type { ImportRecord, Parsed } from './records/record';
import type { Rejects } from './rejects';
import { openSource } from './source';
import type { Store } from './store/store';

/** How many rows, and characters of records, are stored at a time, which bounds memory. The more, the fewer mutations they are. */
const ROWS_AT_ONCE = 20_000;
const TEXT_AT_ONCE = 16_000_000;

/**
 * Imports one file. Rejected rows go to the rejects file and do not stop the import. Throws if the format is unknown or
 * the file cannot be read to its end; the rows before the damage are stored.
 */
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
    let pending: Parsed[] = [];
    let text = 0;
    const flush = async () => {
      const stored = pending;
      pending = [];
      text = 0;
      await storeRows(stored, store, (...reject) => rejects.add(path, ...reject));
      rows += stored.length;
      progress.update(source.bytesRead(), rows, rejects.count - before);
    };
    try {
      for await (const parsed of format.read(source.chunks)) {
        for (const row of parsed) {
          pending.push(row);
          text += textIn(row);
          if (pending.length >= ROWS_AT_ONCE || text >= TEXT_AT_ONCE) await flush();
        }
      }
    } finally {
      // If the file is damaged, the rows before the damage are still stored.
      await flush();
    }
  } finally {
    progress.end();
    await source.close();
  }
}

/** How many characters the records of a row have. */
function textIn(row: Parsed): number {
  if ('rejected' in row) return row.source.length;
  return row.records.reduce((sum, record) => sum + (record.kind === 'tweet' ? record.raw.length : 0), 0);
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
  for (const [index, reason] of await store.add(records)) {
    // A rejected profile does not reject the tweet that came with it on the same line.
    if (records[index]?.kind === 'user' && lines[index] === lines[index + 1]) continue;
    await reject(lines[index] ?? 0, reason, JSON.stringify(records[index]));
  }
}
