import { basename } from 'node:path';
import { ownerBeside } from './archive-owner';
import { refuseOtherEncodings } from './encoding';
import { detectFormat, formatNamed } from './formats/formats';
import { createProgress } from './progress';
import type { Format, ImportRecord, Parsed } from './records/record';
import type { Rejects } from './rejects';
import { openSource, type ImportSource } from './source';
import type { Outcome } from './store/outcome';
import type { Store } from './store/store';
import type { Summary } from './summary';

/** How many rows, and characters of records, are stored at a time, which bounds memory. The more, the fewer mutations they are. */
const ROWS_AT_ONCE = 20_000;
const TEXT_AT_ONCE = 16_000_000;

/** The store of an import, the file of its rejected rows, and its summary. */
export interface Import {
  readonly store: Store;
  readonly rejects: Rejects;
  readonly summary: Summary;
}

/**
 * Imports one file. Rejected rows go to the rejects file and do not stop the import. Throws if the format is unknown or
 * the file cannot be read to its end; the rows before the damage are stored.
 */
export async function importFile(path: string, into: Import, formatName?: string): Promise<void> {
  const source = await openSource(path);
  try {
    refuseOtherEncodings(source.head);
    const format = formatName === undefined ? detectFormat(source.head) : formatNamed(formatName);
    await importRows(path, format, source, into);
  } finally {
    await source.close();
  }
}

async function importRows(path: string, format: Format, source: ImportSource, into: Import): Promise<void> {
  const { summary } = into;
  const [readBefore, rejectedBefore] = [summary.read, summary.rejected];
  const progress = createProgress(process.stderr, source.totalBytes, basename(path));
  let pending: Parsed[] = [];
  let text = 0;
  const flush = async () => {
    const rows = pending;
    pending = [];
    text = 0;
    if (rows.length > 0) await storeRows(rows, path, into);
    progress.update(source.bytesRead(), summary.read - readBefore, summary.rejected - rejectedBefore);
  };
  try {
    for await (const parsed of format.read(source.chunks, { owner: () => ownerBeside(path) })) {
      for (const row of parsed) {
        pending.push(row);
        text += textIn(row);
        if (pending.length >= ROWS_AT_ONCE || text >= TEXT_AT_ONCE) await flush();
      }
    }
  } finally {
    try {
      // If the file is damaged, the rows before the damage are still stored.
      await flush();
    } finally {
      progress.end();
    }
  }
}

/** How many characters a row and its records have. */
function textIn(row: Parsed): number {
  const { source } = row;
  if ('rejected' in row) return source.length;
  const others = row.records.flatMap((record) =>
    record.kind === 'tweet' && record.raw !== source ? record.raw.length : [],
  );
  return others.reduce((sum, length) => sum + length, source.length);
}

/** Stores parsed rows, and counts what became of each. */
export async function storeRows(
  rows: readonly Parsed[],
  path: string,
  { store, rejects, summary }: Import,
): Promise<void> {
  const reject = async (line: number, reason: string, source: string) => {
    summary.reject(reason);
    await rejects.add(path, line, reason, source);
  };
  const records: ImportRecord[] = [];
  for (const row of rows) if ('records' in row) for (const record of row.records) records.push(record);
  const outcomes = await store.add(records, () => {
    summary.drop('twitterAccount');
  });
  let index = 0;
  for (const row of rows) {
    if ('rejected' in row) {
      await reject(row.line, row.rejected, row.source);
      continue;
    }
    const outcome = outcomeOf(row.records, outcomes.slice(index, index + row.records.length));
    const profile = row.records.length > 1 && row.records[0]?.kind === 'user' ? outcomes[index] : undefined;
    index += row.records.length;
    if (typeof outcome === 'object') {
      await reject(row.line, outcome.refused, row.source);
      continue;
    }
    summary.take(outcome);
    for (const column of row.dropped ?? []) summary.drop(column);
    if (typeof profile === 'object') summary.drop('profile');
  }
}

/**
 * Returns the outcome of a row. A profile that comes with a tweet is a value of its row: if it is refused, because the user has another
 * one, the tweet is still taken.
 */
function outcomeOf(records: readonly ImportRecord[], outcomes: readonly Outcome[]): Outcome {
  const own = records.length > 1 && records[0]?.kind === 'user' ? outcomes.slice(1) : outcomes;
  return (
    own.find((outcome) => typeof outcome === 'object') ??
    own.find((outcome) => outcome === 'stored') ??
    own.find((outcome) => outcome !== 'unchanged') ??
    'unchanged'
  );
}
