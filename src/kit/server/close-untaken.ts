import type { Worker as ServerProcess } from 'node:cluster';
import { z } from 'zod';

/** A connection that is handed to a process. */
interface Handed {
  close(): void;
}

const handing = z.object({ cmd: z.literal('NODE_CLUSTER'), seq: z.int() });
const taking = z.object({ cmd: z.literal('NODE_CLUSTER'), ack: z.int() });

/**
 * Closes the connections that were handed to a process which is killed before it takes them. Node forgets them and leaves them open
 * (nodejs/node-v0.x-archive#7006, Node 24), so that their clients would wait for an answer for ever.
 */
export function closeUntaken({ process: child }: ServerProcess): void {
  const untaken = new Map<number, Handed>();
  const send: unknown = Reflect.get(child, 'send');
  child.send = (...args: readonly unknown[]) => {
    const [message, handle] = args;
    const { data } = handing.safeParse(message);
    if (data && isHanded(handle)) untaken.set(data.seq, handle);
    return typeof send === 'function' && Boolean(Reflect.apply(send, child, args));
  };
  child.on('internalMessage', (message) => {
    const { data } = taking.safeParse(message);
    if (data) untaken.delete(data.ack);
  });
  child.once('exit', () => {
    for (const handle of untaken.values()) handle.close();
  });
}

function isHanded(handle: unknown): handle is Handed {
  return typeof handle === 'object' && handle !== null && 'close' in handle;
}
