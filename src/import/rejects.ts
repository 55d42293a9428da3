import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import { basename } from 'node:path';
import { finished } from 'node:stream/promises';

/** The rows of one run that were refused. */
export interface Rejects {
  readonly path: string;
  readonly count: number;
  /** Writes one down. To be awaited: it waits while the disk is behind. */
  add(line: number, reason: string, source: string): Promise<void>;
  /** Resolves when everything is in the file. */
  close(): Promise<void>;
}

/** Where the rejects of `file` go unless the user says otherwise: into the working directory. */
export function rejectsPathOf(file: string): string {
  return `${basename(file)}.rejects`;
}

/**
 * A CSV file `line,reason,source` at `path`, which it replaces. It is made with the first reject, so an import
 * without any leaves no file behind.
 */
export function createRejects(path: string): Rejects {
  let stream: WriteStream | undefined;
  let failure: Error | undefined;
  let count = 0;
  return {
    path,
    get count() {
      return count;
    },
    async add(line, reason, source) {
      count += 1;
      if (stream === undefined) {
        stream = createWriteStream(path);
        stream.on('error', (error) => (failure = error));
        stream.write('line,reason,source\r\n');
      }
      if (failure !== undefined) throw failure;
      if (!stream.write(`${line},${quoted(reason)},${quoted(source.replace(/\r$/, ''))}\r\n`))
        await once(stream, 'drain');
    },
    async close() {
      if (failure !== undefined) throw failure;
      if (stream !== undefined) await finished(stream.end());
    },
  };
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
