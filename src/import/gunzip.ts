import { createGunzip } from 'node:zlib';

/** Compressed data is damaged or cut off. */
export class GzipError extends Error {
  readonly code = 'BAD_GZIP';
}

/**
 * Decompresses gzip data of one or more members. If it is cut off or damaged, yields everything before the damage and
 * then throws a `GzipError`; the stream of `node:zlib` by itself would drop output that it has not yet delivered.
 */
export async function* gunzip(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
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
