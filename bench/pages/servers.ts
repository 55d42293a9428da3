import { readConfig } from '../../src/config';
import { signerFor } from '../../src/token/tokens';
import { answering, startChild } from '../child';
import { environment, headersWith, serving, shipped, type Headers } from '../stage';

/** The ports of our server, of one with explanations, and of the raw server. */
export interface PageServers {
  readonly ours: number;
  readonly explaining: number;
  readonly raw: number;
  /** Headers of a service, which may read every timeline. */
  readonly headers: Headers;
}

const ports = { ours: 4831, explaining: 4832, raw: 4833 };

/** Runs `use` with servers on a keyspace. */
export async function withPageServers<T>(
  contactPoint: string,
  keyspace: string,
  use: (servers: PageServers) => Promise<T>,
): Promise<T> {
  const env = environment(contactPoint, keyspace);
  // Requests are counted on a server with the default cache. The times are those of a server that keeps nothing, as raw does.
  const explaining = {
    ...shipped(contactPoint, keyspace),
    PORT: String(ports.explaining),
    EXPLAIN: 'everybody',
  };
  const children = [
    startChild('src/main.js', [], { ...env, PORT: String(ports.ours) }, serving),
    startChild('src/main.js', [], explaining, serving),
    startChild('bench/raw-server.js', [contactPoint, keyspace], { PORT: String(ports.raw) }, serving),
  ];
  try {
    await answering(`http://127.0.0.1:${ports.ours}/health/ready`);
    await answering(`http://127.0.0.1:${ports.explaining}/health/ready`);
    await answering(`http://127.0.0.1:${ports.raw}/page/0/nobody`);
    return await use({
      ...ports,
      headers: headersWith(await (await signerFor(readConfig(env), 'others')).forService()),
    });
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
}
