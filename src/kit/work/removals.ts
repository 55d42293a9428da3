import type { Database, Write } from '../cassandra/database';
import { writeBytes, MAX_BATCH_BYTES } from '../cassandra/write';

/** How long, in milliseconds, a removal waits for others. */
const GATHER_MS = 50;

/** Removals of tasks that are completed. Many of them go out as one batch, because each batch costs about as much as one write. */
interface Removals {
  /** Sends a removal now, with all that wait. */
  now(this: void, removal: Write): Promise<void>;
  /** Sends a removal a moment later. */
  soon(this: void, removal: Write): Promise<void>;
}

interface Batch {
  readonly writes: Write[];
  bytes: number;
  readonly sent: Promise<void>;
  readonly send: () => void;
}

/** Creates the removals of a server. */
export function createRemovals(database: Database): Removals {
  let open: Batch | null = null;
  const create = (): Batch => {
    const { promise: due, resolve: send }: PromiseWithResolvers<void> = Promise.withResolvers();
    const writes: Write[] = [];
    const batch = { writes, bytes: 0, send, sent: due.then(() => database.batch(writes)) };
    setTimeout(() => {
      close(batch);
    }, GATHER_MS);
    return batch;
  };
  const add = (removal: Write): Batch => {
    const bytes = writeBytes(removal);
    if (open && open.bytes + bytes > MAX_BATCH_BYTES) close(open);
    const batch = (open ??= create());
    batch.writes.push(removal);
    batch.bytes += bytes;
    return batch;
  };
  const close = (batch: Batch) => {
    if (open === batch) open = null;
    batch.send();
  };
  return {
    soon: (removal) => add(removal).sent,
    now(removal) {
      const batch = add(removal);
      close(batch);
      return batch.sent;
    },
  };
}
