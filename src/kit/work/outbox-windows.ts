import type { Database, Write } from '../cassandra/database';
import { removalOf, writeOf } from '../data/write';
import { outboxWindows } from './outbox.table';

const WINDOW_MS = 30_000;
/**
 * How long ago a window must have ended before it is closed. A task whose row is written more than half of that after its
 * creation opens its window again; the other half is for clocks that differ.
 */
const CLOSE_AFTER_MS = 60_000;

/** The windows of time whose tasks may not be complete. Servers look for tasks in these only. */
export interface OutboxWindows {
  /** Opens the window of a moment, once for all of this server's tasks in it, and resolves to the window. */
  open(moment: Date): Promise<number>;
  /** The write that opens a window, for the batch that stores a task. */
  opening(window: number): Write;
  /** Opens a task's window again if its row was written so late that the window may have been closed. */
  reopenIfLate(window: number, createdAt: Date): Promise<void>;
  /** Closes the windows that ended long ago and have no task. `began` is when their tasks began to be read. */
  close(windows: readonly number[], began: number): Promise<void>;
}

/** Creates the windows of a server's outbox. */
export function createOutboxWindows(database: Database): OutboxWindows {
  let last: { readonly window: number; readonly opened: Promise<void> } | undefined;
  const write = ({ query, params }: Write) => database.write(query, params);
  const opening = (window: number) => writeOf(outboxWindows, { part: 0, window });
  return {
    opening,
    async open(moment) {
      const window = Math.floor(Number(moment) / WINDOW_MS);
      if (last?.window !== window) {
        const opened = write(opening(window));
        last = { window, opened };
        opened.catch(() => (last = undefined));
      }
      await last.opened;
      return window;
    },
    async reopenIfLate(window, createdAt) {
      if (Date.now() - Number(createdAt) > CLOSE_AFTER_MS / 2) await write(opening(window));
    },
    async close(windows, began) {
      for (const window of windows)
        // The removal is as of a moment before the tasks were read: a window that was opened since stays open.
        if ((window + 1) * WINDOW_MS + CLOSE_AFTER_MS < began)
          await write(removalOf(outboxWindows, { part: 0, window }, (began - CLOSE_AFTER_MS / 2) * 1000));
    },
  };
}
