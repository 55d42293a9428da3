import { answering, startChild, type Child } from '../child';
import { serving } from '../stage';

const FIRST_PORT = 4861;

/** The address of a server of this machine. */
export function atPort(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Several servers on one keyspace. */
export interface ScaledServers {
  readonly ports: readonly number[];
  readonly children: readonly Child[];
  /** The CPU seconds that all have used. */
  cpu(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts servers, and waits until all can write. `flags` are further ones of Node. */
export async function startServers(
  env: NodeJS.ProcessEnv,
  count: number,
  flags: readonly string[] = [],
): Promise<ScaledServers> {
  const ports = Array.from({ length: count }, (_, n) => FIRST_PORT + n);
  const children = ports.map((port) =>
    startChild('src/main.js', [], { ...env, PORT: String(port) }, [...serving, ...flags]),
  );
  const stop = async () => {
    await Promise.all(children.map((child) => child.stop()));
  };
  try {
    for (const port of ports) await answering(`${atPort(port)}/health/ready`);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ports,
    children,
    async cpu() {
      const used = await Promise.all(children.map((child) => child.cpu()));
      return used.reduce((sum, seconds) => sum + seconds, 0);
    },
    stop,
  };
}
