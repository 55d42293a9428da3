import pino, { type Level, type Logger } from 'pino';

/** Bytes of lines that are written at once. */
const MAX_WAITING_BYTES = 4096;
/** Milliseconds after which lines are written, however few they are. */
const MAX_WAITING_MS = 100;
/** Milliseconds that a server which ends waits for its log to be written. */
const MAX_FLUSH_MS = 1000;

/**
 * Creates the log of a server: lines of JSON on standard output. Lines are written together, because a write for each request
 * would take a twentieth of the server's time, and without waiting, because a slow reader of the log must not stop the server.
 */
export function createLogger(level: Level | 'silent'): Logger {
  const output = pino.destination({
    sync: false,
    minLength: MAX_WAITING_BYTES,
    periodicFlush: MAX_WAITING_MS,
  });
  return pino({ level }, output);
}

/**
 * Writes the lines that still wait. To be called before `process.exit`: pino writes them at the exit, too, but never ends if the
 * reader of the log is gone.
 */
export async function flushLog(logger: Logger): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, MAX_FLUSH_MS);
    logger.flush(() => {
      resolve();
    });
  });
}
