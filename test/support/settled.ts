import { setTimeout as sleep } from 'node:timers/promises';
import type { Harness } from './harness';

/** Waits until a server has finished all tasks, its own and those that others left. */
export async function settled({ writeServices: { outbox } }: Harness): Promise<void> {
  while ((await outbox.pending()).length > 0) await sleep(50);
  await outbox.idle();
}
