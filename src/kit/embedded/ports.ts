import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';

/** The two ports of a node. */
export interface Ports {
  /** For clients: CQL. */
  readonly native: number;
  /** For the other nodes. */
  readonly storage: number;
}

/**
 * Finds two ports that are free on all of the addresses; the preferred ones, if they are free. The ports are below the range
 * that systems use for outgoing connections: one of these could take the port before the node starts.
 */
export async function freePorts(addresses: readonly string[], preferred?: Ports): Promise<Ports> {
  if (preferred !== undefined && (await free(preferred.native)) && (await free(preferred.storage)))
    return preferred;
  const native = await findFree();
  let storage = await findFree();
  while (storage === native) storage = await findFree();
  return { native, storage };

  async function free(port: number): Promise<boolean> {
    for (const address of addresses) if (!(await canListen(address, port))) return false;
    return true;
  }

  async function findFree(): Promise<number> {
    for (let attempt = 0; attempt < 200; attempt++) {
      const port = randomInt(17_000, 32_000);
      if (await free(port)) return port;
    }
    throw new Error(
      `A port between 17000 and 32000 must be free on ${addresses.join(', ')}, but none was found`,
    );
  }
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
