import { createGunzip } from 'node:zlib';

/** Damaged or cut off compressed data. */
export class GzipError extends Error {
  readonly code = 'BAD_GZIP';
}

/**
 * Decompresses gzip data of one or more members. Where it is cut off or damaged, everything before that place is
 * given first and a `GzipError` thrown then; the stream of `node:zlib` on its own would drop what it had not yet given.
 */
export async function* gunzip(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  const inflate = createGunzip();
  const output: Buffer[] = [];
  let failure: Error | undefined;
  inflate.on('data', (bytes: Buffer) => output.push(bytes));
  inflate.on('error', (error) => (failure = error));
  // A write of damaged data is never called back; then the stream closes.
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
