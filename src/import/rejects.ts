import { once } from 'node:events';
import {
  closeSync,
  createWriteStream,
  existsSync,
  openSync,
  rmSync,
  statSync,
  type WriteStream,
} from 'node:fs';
import { finished } from 'node:stream/promises';

/** The rejected rows of one import. */
export interface Rejects {
  readonly path: string;
  readonly count: number;
  /** Writes a rejected row. Await it: it waits while the disk is behind. Rejects if the file cannot be written. */
  add(file: string, line: number, reason: string, source: string): Promise<void>;
  /** Resolves when everything is in the file; rejects if the file cannot be written. */
  close(): Promise<void>;
}

/**
 * Writes rejected rows to a CSV file `file,line,reason,source` at `path`. Removes the file of an earlier run at once
 * and creates the new one with the first rejected row, so an import without any leaves no file. A device, such as /dev/null, stays.
 */
export function createRejects(path: string): Rejects {
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) rmSync(path);
  let stream: WriteStream | undefined;
  let failure: Error | undefined;
  let count = 0;
  return {
    path,
    get count() {
      return count;
    },
    async add(file, line, reason, source) {
      count += 1;
      if (stream === undefined) {
        stream = createWriteStream(path);
        stream.on('error', (error) => (failure = error));
        stream.write('file,line,reason,source\r\n');
      }
      if (failure !== undefined) throw failure;
      if (!stream.write(`${quoted(file)},${line},${quoted(reason)},${quoted(source.replace(/\r$/, ''))}\r\n`))
        await once(stream, 'drain');
    },
    async close() {
      if (failure !== undefined) throw failure;
      if (stream !== undefined) await finished(stream.end());
    },
  };
}

/** Throws if a file of rejected rows cannot be written: else the first of them would end an import that has run for hours. Changes nothing. */
export function requireWritable(path: string): void {
  try {
    const isNew = !existsSync(path);
    // The file is opened to append, because opening it to write would empty it.
    closeSync(openSync(path, 'a'));
    if (isNew) rmSync(path);
  } catch (error) {
    throw new Error(
      `The file for rejected rows (--rejects) must be one that can be written, but: ${String(error)}`,
    );
  }
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
