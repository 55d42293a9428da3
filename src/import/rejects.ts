import { once } from 'node:events';
import { closeSync, createWriteStream, openSync, rmSync, statSync, type WriteStream } from 'node:fs';
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
 * and creates the new one with the first rejected row, so an import without any leaves no file. Throws if the file cannot be written.
 */
export function createRejects(path: string): Rejects {
  removeFormer(path);
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

/** Removes the file of an earlier run. Throws if none can be written: else the first rejected row would end an import that has run for hours. */
function removeFormer(path: string): void {
  try {
    // To append, because writing empties the file: the path may be a link to another one, even to one to import.
    closeSync(openSync(path, 'a'));
    // A device, such as /dev/null, stays.
    if (statSync(path).isFile()) rmSync(path);
  } catch (error) {
    throw new Error(
      `The file for rejected rows (--rejects) must be one that can be written, but: ${String(error)}`,
    );
  }
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
