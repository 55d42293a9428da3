import { open, stat } from 'node:fs/promises';
import { gunzip } from './gunzip';

/** Small, because all that one chunk decompresses to, up to a thousand times as much, is held at once. */
const chunkSize = 32 * 1024;
const headSize = 64 * 1024;

/** A file opened for import. */
export interface Source {
  /** Bytes of the file as it lies on disk: compressed ones, where it is compressed. */
  readonly totalBytes: number;
  /** The beginning of the decompressed text, up to 64 KiB, without a byte order mark. */
  readonly head: string;
  /** All of the decompressed file from its beginning; can be read once, and closes the file at its end. */
  readonly chunks: AsyncIterable<Buffer>;
  /** How many of `totalBytes` have been read so far. */
  bytesRead(): number;
  /** Closes a file that is not read to its end. */
  close(): Promise<void>;
}

/**
 * Opens a file, plain or gzip (told by its first bytes, not by its name), and reads what `head` needs. Where
 * compressed data is cut off or damaged, `chunks` gives all that came before, then throws a `GzipError`.
 */
export async function openSource(path: string): Promise<Source> {
  const { size: totalBytes } = await stat(path);
  let bytesRead = 0;
  const stored = readFile(path, (count) => (bytesRead += count));
  const first = await stored.next();
  const all = first.done === true ? stored : startingWith([first.value], stored);
  const isGzip = first.value?.[0] === 0x1f && first.value[1] === 0x8b;
  const bytes = isGzip ? gunzip(all) : all;
  const { ahead, failure } = await readAhead(bytes);
  const head = new TextDecoder().decode(Buffer.concat(ahead).subarray(0, headSize));
  return {
    totalBytes,
    head,
    chunks: startingWith(ahead, bytes, failure),
    bytesRead: () => bytesRead,
    close: async () => {
      await bytes.return(undefined);
      await stored.return(undefined);
    },
  };
}

async function* readFile(path: string, count: (bytes: number) => void): AsyncGenerator<Buffer, undefined> {
  const file = await open(path);
  try {
    for (;;) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(chunkSize), 0, chunkSize, null);
      if (bytesRead === 0) return undefined;
      count(bytesRead);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function* startingWith(
  first: Buffer[],
  rest: AsyncIterable<Buffer>,
  failure?: Error,
): AsyncGenerator<Buffer, undefined> {
  yield* first.splice(0);
  if (failure !== undefined) throw failure;
  yield* rest;
  return undefined;
}

/** What `head` is made of. A failure on the way is kept for whoever reads on to it. */
async function readAhead(chunks: AsyncGenerator<Buffer>): Promise<{ ahead: Buffer[]; failure?: Error }> {
  const ahead: Buffer[] = [];
  try {
    for (let size = 0; size < headSize;) {
      const next = await chunks.next();
      if (next.done === true) break;
      ahead.push(next.value);
      size += next.value.length;
    }
    return { ahead };
  } catch (error) {
    return { ahead, failure: error instanceof Error ? error : new Error(String(error)) };
  }
}
