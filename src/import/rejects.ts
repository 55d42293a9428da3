import { once } from 'node:events';
import { createWriteStream, rmSync, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** The rows of one run that were refused. */
export interface Rejects {
  readonly path: string;
  readonly count: number;
  /** Writes one down. To be awaited: it waits while the disk is behind. */
  add(file: string, line: number, reason: string, source: string): Promise<void>;
  /** Resolves when everything is in the file. */
  close(): Promise<void>;
}

/**
 * A CSV file `file,line,reason,source` at `path`, instead of that of an earlier run. It is made with the first reject,
 * so a run without any leaves no file behind.
 */
export function createRejects(path: string): Rejects {
  rmSync(path, { force: true });
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

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
