import pino, { type Level, type Logger } from 'pino';

/** Bytes of lines that are written at once. */
const MAX_WAITING_BYTES = 4096;
/** Milliseconds after which lines are written, however few they are. */
const MAX_WAITING_MS = 100;

/**
 * Creates the log of a server: lines of JSON on standard output. Lines are written together, because a write for each request
 * would take a twentieth of the server's time. A server that exits writes what waits; one that is killed loses that.
 */
export function createLogger(level: Level | 'silent'): Logger {
  const output = pino.destination({
    sync: true,
    minLength: MAX_WAITING_BYTES,
    periodicFlush: MAX_WAITING_MS,
  });
  process.once('exit', () => {
    output.flushSync();
  });
  return pino({ level }, output);
}
