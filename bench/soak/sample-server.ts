import { atPort, type ScaledServers } from '../scale/servers';
import type { Sample } from './curves';

/** Reads what a server says of itself. Its heap is read after its garbage was collected, and the delay of its event loop before that. */
export async function sampleServer(servers: ScaledServers, index: number): Promise<Sample> {
  const text = await (await fetch(`${atPort(servers.ports[index] ?? 0)}/metrics`)).text();
  const heap = (await servers.children[index]?.heap()) ?? NaN;
  return {
    'heap MB': heap / 1e6,
    'memory MB': sumOf(text, 'process_resident_memory_bytes') / 1e6,
    'loop p99 ms': sumOf(text, 'nodejs_eventloop_lag_p99_seconds') * 1000,
    'index tail': sumOf(text, 'murmuration_index_unsealed_entries'),
    'tail fullness': maxOf(text, 'murmuration_index_unsealed_fullness'),
    segments: sumOf(text, 'murmuration_index_segments'),
    'tasks waiting': sumOf(text, 'murmuration_tasks_waiting'),
    'oldest task s': maxOf(text, 'murmuration_task_oldest_seconds'),
    subscriptions: sumOf(text, 'murmuration_subscriptions_open'),
  };
}

function valuesOf(text: string, name: string): number[] {
  return [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))].map(([, value]) =>
    Number(value),
  );
}

/** The sum of a metric over its labels; NaN if the server does not have it. */
export function sumOf(text: string, name: string): number {
  const values = valuesOf(text, name);
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0);
}

/** The greatest value of a metric over its labels; NaN if the server does not have it. */
export function maxOf(text: string, name: string): number {
  const values = valuesOf(text, name);
  return values.length === 0 ? NaN : Math.max(...values);
}
