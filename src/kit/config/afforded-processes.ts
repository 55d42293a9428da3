import { availableParallelism, totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** How many server processes this machine or container has cores for, and memory if the heap of each is full; at least one. */
export function countAffordedProcesses(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  const heaps = Math.floor(memory / getHeapStatistics().heap_size_limit);
  return Math.max(1, Math.min(availableParallelism(), heaps));
}
