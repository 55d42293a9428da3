import pino, { type Level, type Logger } from 'pino';

/** Bytes of lines that wait for others. */
const MAX_WAITING_BYTES = 3072;
/** Bytes of lines that are written at once. Several processes may write to one pipe, where Linux keeps so many together. */
const MAX_WRITTEN_BYTES = 4096;
/** Milliseconds after which lines are written, however few they are. */
const MAX_WAITING_MS = 100;
/** Bytes of lines that wait at most. Further lines are dropped: their reader stands still, and they would fill the memory. */
const MAX_KEPT_BYTES = 8_000_000;
/** Milliseconds that a server which ends waits for its log to be written. */
const MAX_FLUSH_MS = 1000;

/**
 * Creates the log of a server: lines of JSON on standard output. Lines are written together, because a write for each request
 * would take a twentieth of the server's time, and without waiting, because a slow reader of the log must not stop the server. If
 * lines had to be dropped, a warning tells how many as soon as lines are read again.
 */
export function createLogger(level: Level | 'silent'): Logger {
  const output = pino.destination({
    sync: false,
    minLength: MAX_WAITING_BYTES,
    maxWrite: MAX_WRITTEN_BYTES,
    periodicFlush: MAX_WAITING_MS,
    maxLength: MAX_KEPT_BYTES,
  });
  const logger = pino({ level }, output);
  const flushSync = output.flushSync.bind(output);
  // A full disk, or a terminal that is gone, must not end the server. The lines are kept, as many as may wait, and tried again. At the exit pino
  // would try that for ever, and the process would never end.
  output.on('error', () => {
    output.flushSync = () => undefined;
  });
  let dropped = 0;
  output.on('drop', () => dropped++);
  output.on('drain', () => {
    output.flushSync = flushSync;
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    logger.warn({ lines }, 'lines of the log were dropped, because nothing read it');
  });
  return logger;
}

/**
 * Writes the lines that still wait. Must be called before `process.exit`: pino writes them at the exit, too, but never ends if the reader
 * of the log is gone.
 */
export async function flushLog(logger: Logger): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, MAX_FLUSH_MS);
    logger.flush(() => {
      resolve();
    });
  });
}
