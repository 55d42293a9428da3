import { readConfig } from '../../src/config';
import { signerFor } from '../../src/token/tokens';
import { answering, startChild } from '../child';
import type { Caller } from './callers';
import { environment, headersWith, serving, shipped, type Headers } from '../stage';

/** The ports of our server, of those with explanations, and of the raw server. */
export interface PageServers {
  readonly ours: number;
  /** One for each caller, so that none is shown what was kept for another. */
  readonly explaining: Readonly<Record<Caller, number>>;
  readonly raw: number;
  /** Headers of a service, which may read every timeline. */
  readonly headers: Headers;
}

const ports = {
  ours: 4831,
  explaining: { anonymous: 4832, service: 4834, person: 4835 },
  raw: 4833,
};

/** Runs `use` with servers on a keyspace. */
export async function withPageServers<T>(
  contactPoint: string,
  keyspace: string,
  use: (servers: PageServers) => Promise<T>,
): Promise<T> {
  const env = environment(contactPoint, keyspace);
  // Requests are counted on a server with the default cache. The times are those of a server that keeps nothing, as raw does.
  const explaining = { ...shipped(contactPoint, keyspace), EXPLAIN: 'everybody' };
  const explainingPorts = Object.values(ports.explaining);
  const children = [
    startChild('src/main.js', [], { ...env, PORT: String(ports.ours) }, serving),
    ...explainingPorts.map((port) =>
      startChild('src/main.js', [], { ...explaining, PORT: String(port) }, serving),
    ),
    startChild('bench/raw-server.js', [contactPoint, keyspace], { PORT: String(ports.raw) }, serving),
  ];
  try {
    await answering(`http://127.0.0.1:${ports.ours}/health/ready`);
    for (const port of explainingPorts) await answering(`http://127.0.0.1:${port}/health/ready`);
    await answering(`http://127.0.0.1:${ports.raw}/page/0/nobody`);
    return await use({
      ...ports,
      headers: headersWith(await (await signerFor(readConfig(env), 'others')).forService()),
    });
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
}
