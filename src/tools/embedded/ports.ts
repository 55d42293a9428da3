import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** The two ports of a node. */
export interface Ports {
  /** The port for clients: CQL. */
  readonly native: number;
  /** The port for the other nodes. */
  readonly storage: number;
}

/** How long, in milliseconds, preferred ports may be taken: those of a process that was killed are, for a moment. */
const FREE_WITHIN_MS = 5000;

/**
 * Finds two ports that are free on all of the addresses; the preferred ones, if they become free within 5 seconds. The ports are below the range
 * that systems use for outgoing connections: one of these could take the port before the node starts.
 */
export async function freePorts(addresses: readonly string[], preferred?: Ports): Promise<Ports> {
  if (preferred !== undefined && (await becomeFree(addresses, preferred))) return preferred;
  const native = await findFree();
  let storage = await findFree();
  while (storage === native) storage = await findFree();
  return { native, storage };

  async function findFree(): Promise<number> {
    for (let attempt = 0; attempt < 200; attempt++) {
      const port = randomInt(17_000, 32_000);
      if (await isFree(addresses, port)) return port;
    }
    throw new Error(
      `A port between 17000 and 32000 must be free on ${addresses.join(', ')}, but none was found`,
    );
  }
}

/** Waits until two ports are free on all of the addresses. Resolves to false if that takes more than 5 seconds. */
export async function becomeFree(addresses: readonly string[], { native, storage }: Ports): Promise<boolean> {
  const until = performance.now() + FREE_WITHIN_MS;
  for (;;) {
    if ((await isFree(addresses, native)) && (await isFree(addresses, storage))) return true;
    if (performance.now() > until) return false;
    await sleep(100);
  }
}

async function isFree(addresses: readonly string[], port: number): Promise<boolean> {
  for (const address of addresses) if (!(await canListen(address, port))) return false;
  return true;
}

function canListen(address: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRNOTAVAIL') resolve(false);
      else
        reject(
          new Error(
            `${address} must be an address of this machine; on macOS: sudo ifconfig lo0 alias ${address}`,
          ),
        );
    });
    server.listen({ host: address, port, exclusive: true }, () =>
      server.close(() => {
        resolve(true);
      }),
    );
  });
}
