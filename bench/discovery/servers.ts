import { readConfig } from '../../src/config';
import { signerFor } from '../../src/token/tokens';
import { answering, startChild } from '../child';
import { environment, headersWith, serving, type Headers, type Stage } from '../stage';
import { diaristId } from '../tweets/generate';
import { bodyOf, rowsIn, type Question } from './questions';

/** The ports of our server, of the raw server, and of our server with explanations. */
export interface Servers {
  readonly ours: number;
  readonly raw: number;
  readonly explaining: number;
  /** Headers of a service, which may read everything. */
  readonly headers: Headers;
}

/** Runs `use` with servers on a keyspace of generated tweets. `settings` gives the settings of ours. */
export async function withServers<T>(
  stage: Stage,
  { keyspace }: { readonly keyspace: string },
  use: (servers: Servers) => Promise<T>,
  settings?: typeof environment,
): Promise<T> {
  const { servers, close } = await openServers(stage, keyspace, 4821, settings);
  try {
    return await use(servers);
  } finally {
    await close();
  }
}

/** Servers that run until they are closed. */
export interface OpenServers {
  readonly servers: Servers;
  readonly close: () => Promise<void>;
}

/** Starts servers on a keyspace of generated tweets. They take three ports. */
export async function openServers(
  { contactPoint }: Stage,
  keyspace: string,
  firstPort: number,
  settings = environment,
): Promise<OpenServers> {
  const ports = { ours: firstPort, raw: firstPort + 1, explaining: firstPort + 2 };
  const env = settings(contactPoint, keyspace);
  const explaining = { ...env, PORT: String(ports.explaining), EXPLAIN: 'true' };
  const rawEnv = { PORT: String(ports.raw) };
  const children = [
    startChild('src/main.js', [], { ...env, PORT: String(ports.ours) }, serving),
    startChild('src/main.js', [], explaining, serving),
    startChild('bench/raw-server.js', [contactPoint, keyspace], rawEnv, serving),
  ];
  const close = async () => {
    await Promise.all(children.map((child) => child.stop()));
  };
  try {
    await answering(`http://127.0.0.1:${ports.ours}/health/ready`);
    await answering(`http://127.0.0.1:${ports.explaining}/health/ready`);
    await answering(`http://127.0.0.1:${ports.raw}/P/${diaristId(0)}/25`);
    const headers = headersWith(await (await signerFor(readConfig(env), 'others')).forService());
    return { servers: { ...ports, headers }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What an answer was made of. */
export interface Explained {
  readonly rows: number;
  /** Requests to Cassandra. */
  readonly reads: number;
}

/** Asks a question once, on the server that explains. */
export async function explain(
  { explaining, headers }: Servers,
  question: Question,
  variables: Readonly<Record<string, unknown>>,
): Promise<Explained> {
  const request = {
    method: 'POST',
    headers: { ...headers, 'x-explain': 'true' },
    body: bodyOf(question, variables),
  };
  const response = await fetch(`http://127.0.0.1:${explaining}/graphql`, request);
  const answer = (await response.json()) as {
    readonly data?: unknown;
    readonly errors?: unknown;
    readonly extensions?: { readonly explain?: readonly unknown[] };
  };
  if (answer.errors !== undefined)
    throw new Error(`${question.name} must be answered, but got: ${JSON.stringify(answer.errors)}`);
  return { rows: rowsIn(answer.data), reads: answer.extensions?.explain?.length ?? NaN };
}
