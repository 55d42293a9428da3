import { setTimeout as sleep } from 'node:timers/promises';

/** How often the server is asked, in milliseconds. */
const EVERY_MS = 100;

/** The greatest values of some metrics of a server during a time. */
interface Peaks {
  /** The bytes of its heap, with garbage. */
  readonly heap: number;
  /** The bytes that its reads could have at once. */
  readonly bytesInFlight: number;
}

/** Asks a server for its metrics until `stop` is called. */
export function watchPeaks(port: number): { stop(): Promise<Peaks> } {
  const stopping = new AbortController();
  const peaks = { heap: 0, bytesInFlight: 0 };
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const text = await fetch(`http://127.0.0.1:${port}/metrics`).then(
        (answer) => answer.text(),
        () => '',
      );
      const valueOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
      peaks.heap = Math.max(peaks.heap, valueOf('nodejs_heap_size_used_bytes'));
      peaks.bytesInFlight = Math.max(peaks.bytesInFlight, valueOf('murmuration_bytes_in_flight'));
      await sleep(EVERY_MS);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await watching;
      return peaks;
    },
  };
}
