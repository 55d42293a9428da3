import type { Database, Write } from '../cassandra/database';
import { removalOf, writeOf } from '../cassandra/write';
import { outboxWindows, WINDOW_SECONDS } from './outbox.table';

const WINDOW_MS = WINDOW_SECONDS * 1000;
/**
 * How long ago a window must have ended before it is closed. If a task's row is written later than half of this after the
 * task was created, its window is opened again; the other half allows for clocks that differ.
 */
const CLOSE_AFTER_MS = 60_000;

/** How many offered windows a server remembers. */
const MAX_OFFERED = 100;

/** The windows of 30 seconds that may have tasks which are not completed. Servers look for tasks only in these. */
export interface OutboxWindows {
  /** Opens the window of a moment and resolves to its number. It is written once for all tasks that this server has in it. */
  open(moment: Date): Promise<number>;
  /** Records that a window may have tasks for anyone. It is written once in a while for each window. */
  recordOffered(window: number): Promise<void>;
  /** Opens a task's window again if its row was written so late that the window may have been closed. */
  reopenIfLate(window: number, createdAt: Date): Promise<void>;
  /** Closes those of some windows without tasks that ended long enough ago. `began` is the time before their tasks were read, in milliseconds. */
  close(windows: readonly number[], began: number): Promise<void>;
}

/** Creates the windows of a server's outbox. */
export function createOutboxWindows(database: Database): OutboxWindows {
  let last: { readonly window: number; readonly opened: Promise<void> } | undefined;
  const write = ({ query, params }: Write) => database.write(query, params);
  const opening = (window: number) => writeOf(outboxWindows, { shard: 0, window });
  const offered = new Set<number>();
  return {
    async recordOffered(window) {
      if (offered.has(window)) return;
      await write(writeOf(outboxWindows, { shard: 0, window, offered: true }));
      if (offered.size >= MAX_OFFERED) offered.clear();
      offered.add(window);
    },
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
        // The timestamp of the removal is before the tasks were read, so a window that was opened since stays open.
        if ((window + 1) * WINDOW_MS + CLOSE_AFTER_MS < began)
          await write(removalOf(outboxWindows, { shard: 0, window }, (began - CLOSE_AFTER_MS / 2) * 1000));
    },
  };
}
