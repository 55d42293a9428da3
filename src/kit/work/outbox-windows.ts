import type { Database, Write } from '../cassandra/database';
import { removalOf, writeOf } from '../cassandra/write';
import { outboxWindows, WINDOW_SECONDS, type Task } from './outbox.table';

const WINDOW_MS = WINDOW_SECONDS * 1000;
/**
 * How long ago a window must have ended before it is closed. If a task's row is written later than half of this after the
 * task was created, its window is opened again; the other half allows for clocks that differ.
 */
const CLOSE_AFTER_MS = 60_000;

/** How many offered windows a server remembers. */
const MAX_OFFERED = 100;

const addServer = 'UPDATE outbox_windows SET servers = servers + ? WHERE shard = 0 AND window = ?';

/** The windows of 30 seconds that may have tasks which are not completed. Servers look for tasks only in these. */
export interface OutboxWindows {
  /**
   * Opens the window of a moment for tasks of this server. It is written once for all of them. Resolves to the window in which to store
   * them.
   */
  open(moment: Date): Promise<Pick<Task, 'window' | 'server'>>;
  /** Records that a window may have tasks for anyone. It is written once in a while for each window. */
  recordOffered(window: number): Promise<void>;
  /** Opens a task's window again if its row was written so late that the window may have been closed. */
  reopenIfLate(task: Pick<Task, 'window' | 'server' | 'createdAt'>): Promise<void>;
  /** Closes those of some windows without tasks that ended long enough ago. `began` is the time before their tasks were read, in milliseconds. */
  close(windows: readonly number[], began: number): Promise<void>;
}

/** Creates the windows of a server's outbox. `numberOfServer` is the number that the server has now. */
export function createOutboxWindows(database: Database, numberOfServer: () => number): OutboxWindows {
  let last: { readonly window: number; readonly server: number; readonly opened: Promise<void> } | undefined;
  const write = ({ query, params }: Write) => database.write(query, params);
  const writeOpening = (window: number, server: number) => database.write(addServer, [[server], window]);
  const offered = new Set<number>();
  return {
    async recordOffered(window) {
      if (offered.has(window)) return;
      await write(writeOf(outboxWindows, { shard: 0, window, offered: true }));
      if (offered.size >= MAX_OFFERED) offered.clear();
      offered.add(window);
    },
    async open(moment) {
      const [window, server] = [Math.floor(Number(moment) / WINDOW_MS), numberOfServer()];
      if (last?.window !== window || last.server !== server) {
        const opened = writeOpening(window, server);
        last = { window, server, opened };
        opened.catch(() => (last = undefined));
      }
      await last.opened;
      return { window, server };
    },
    async reopenIfLate({ window, server, createdAt }) {
      if (Date.now() - Number(createdAt) > CLOSE_AFTER_MS / 2) await writeOpening(window, server);
    },
    async close(windows, began) {
      for (const window of windows)
        // The timestamp of the removal is before the tasks were read, so a window that was opened since stays open.
        if ((window + 1) * WINDOW_MS + CLOSE_AFTER_MS < began)
          await write(removalOf(outboxWindows, { shard: 0, window }, (began - CLOSE_AFTER_MS / 2) * 1000));
    },
  };
}
