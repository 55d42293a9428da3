import { takeMoment } from '../base/elapsed';
import { asError, serverCloses } from '../base/errors';
import type { Database, Write } from '../cassandra/database';
import { cutIntoBatches, byPartition } from './batches';
import { bucketAssignerOf, type BucketAssigner } from '../lists/bucket-assigner';

const MAX_BATCHES_IN_FLIGHT = 128;

/** Stores writes as one batch, those of lists in the partitions that `assigner` gives them. */
async function store(database: Database, assigner: BucketAssigner, batch: readonly Write[]): Promise<void> {
  const begun = takeMoment();
  const assigned = await assigner.assignBuckets(batch);
  if (assigned === batch || partitionsIn(assigned) <= partitionsIn(batch)) await database.batch(assigned);
  // The rows of a split list are in several partitions: as one batch they might be more than Cassandra takes.
  else for (const part of cutIntoBatches(byPartition(assigned).values())) await database.batch(part);
  assigner.stored(assigned);
  const misplaced = await assigner.misplaced(assigned, begun);
  if (misplaced.length > 0) await store(database, assigner, misplaced);
}

function partitionsIn(batch: readonly Write[]): number {
  return new Set(batch.map(({ partition }) => partition)).size;
}

/** Sends batches, a bounded number of them at a time. */
interface BatchSender {
  /** Sends a batch. Resolves when there is room for another one. Rejects if a batch has failed or was not sent. */
  send(this: void, batch: readonly Write[]): Promise<void>;
  /** Resolves when all batches are stored, and rejects if any of them failed or was not sent. */
  drain(this: void): Promise<void>;
}

/** Creates a sender. After `stopping` is aborted it sends no more and rejects with `UNAVAILABLE`. */
export function createBatchSender(database: Database, stopping?: AbortSignal): BatchSender {
  const assigner = bucketAssignerOf(database);
  const inFlight = new Set<Promise<void>>();
  let failure: Error | undefined;
  const check = () => {
    if (failure !== undefined) throw failure;
  };
  return {
    async send(batch) {
      if (stopping?.aborted) failure ??= serverCloses();
      check();
      const sent = store(database, assigner, batch)
        .catch((error: unknown) => {
          failure ??= asError(error);
        })
        .finally(() => inFlight.delete(sent));
      inFlight.add(sent);
      if (inFlight.size >= MAX_BATCHES_IN_FLIGHT) await Promise.race(inFlight);
      check();
    },
    async drain() {
      await Promise.all(inFlight);
      check();
    },
  };
}
