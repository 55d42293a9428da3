import { asError } from '../kit/base/errors';
import { open, stat } from 'node:fs/promises';
import { withoutMark } from './records/lines';
import { createGunzip } from 'node:zlib';

/**
 * The bytes of a chunk. They are few, because everything that one chunk decompresses to, up to a thousand times as much, is in memory at
 * once.
 */
const CHUNK_BYTES = 32 * 1024;
const HEAD_BYTES = 64 * 1024;

/** A file opened for import. */
export interface ImportSource {
  /** The size of the file on disk: compressed bytes if it is compressed. */
  readonly totalBytes: number;
  /** The beginning of the decompressed file: up to 64 KiB, without a byte order mark. */
  readonly head: Buffer;
  /** The whole decompressed file from its beginning. Can be read once; closes the file at its end. */
  readonly chunks: AsyncIterable<Buffer>;
  /** How many of `totalBytes` have been read so far. */
  bytesRead(): number;
  /** Closes a file that was not read to its end. */
  close(): Promise<void>;
}

/**
 * Opens a file, plain or gzip (recognized by its first bytes, not by its name), and reads as much as `head` needs. If
 * compressed data is cut off or damaged, `chunks` yields everything before the damage, then throws a `GzipError`.
 */
export async function openSource(path: string): Promise<ImportSource> {
  const { size: totalBytes } = await stat(path);
  let bytesRead = 0;
  const stored = readFile(path, (count) => (bytesRead += count));
  const first = await stored.next();
  const all = first.done === true ? stored : startingWith([first.value], stored);
  const isGzip = first.value?.[0] === 0x1f && first.value[1] === 0x8b;
  const bytes = isGzip ? gunzip(all) : all;
  const { ahead, failure } = await readAhead(bytes);
  const head = withoutMark(Buffer.concat(ahead).subarray(0, HEAD_BYTES));
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
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null);
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

/** Reads the chunks that `head` is made of. A failure is kept, and thrown when the chunks are read up to it. */
async function readAhead(chunks: AsyncGenerator<Buffer>): Promise<{ ahead: Buffer[]; failure?: Error }> {
  const ahead: Buffer[] = [];
  try {
    for (let size = 0; size < HEAD_BYTES;) {
      const next = await chunks.next();
      if (next.done === true) break;
      ahead.push(next.value);
      size += next.value.length;
    }
    return { ahead };
  } catch (error) {
    return { ahead, failure: asError(error) };
  }
}

/** Compressed data is damaged or cut off. */
class GzipError extends Error {
  readonly code = 'BAD_GZIP';
}

/**
 * Decompresses gzip data of one or more members. If it is cut off or damaged, yields everything before the damage and
 * then throws a `GzipError`; the stream of `node:zlib` by itself would drop output that it has not yet delivered.
 */
async function* gunzip(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  const inflate = createGunzip();
  const output: Buffer[] = [];
  let failure: Error | undefined;
  inflate.on('data', (bytes: Buffer) => output.push(bytes));
  inflate.on('error', (error) => (failure = error));
  // The callback of a write never runs if the data is damaged: the stream closes instead.
  let settle = (): void => undefined;
  inflate.on('close', () => {
    settle();
  });
  const settled = (start: () => void): Promise<void> =>
    new Promise((resolve) => {
      settle = resolve;
      start();
    });

  try {
    for await (const chunk of compressed) {
      await settled(() =>
        inflate.write(chunk, () => {
          settle();
        }),
      );
      yield* output.splice(0);
      if (failure !== undefined)
        throw new GzipError(`the gzip data is damaged: ${failure.message}`, { cause: failure });
    }
    await settled(() => inflate.end());
    yield* output.splice(0);
    if (failure !== undefined)
      throw new GzipError('the gzip data ends too early: the file is cut off', { cause: failure });
    return undefined;
  } finally {
    inflate.destroy();
  }
}
