import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import pino from 'pino';
import { readConfig } from '../../src/config';
import { createServer } from '../../src/server';
import { JWT_SECRET, person, startHarness, type Harness } from '../support/harness';

export const ada = 'query Ada { user(username: "ada") { name } }\n';
export const byName = 'query ByName($name: String!) { user(username: $name) { username } }';
export const two =
  'query One { user(username: "ada") { userId } } query Two { user(username: "ada") { username } }';
export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const folder = mkdtempSync(join(tmpdir(), 'trusted-'));
const apps: FastifyInstance[] = [];
let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada'), person('2', 'bo')]);
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Writes files into a folder of their own, tells its path. */
export function write(files: Readonly<Record<string, unknown>>): string {
  const at = mkdtempSync(join(folder, 'f-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(at, name)), { recursive: true });
    writeFileSync(
      join(at, name),
      typeof content === 'string' || content instanceof Buffer ? content : JSON.stringify(content),
    );
  }
  return at;
}

/** Starts a server with these settings on the network of ada and bo. */
export async function startApp(settings: NodeJS.ProcessEnv): Promise<FastifyInstance> {
  const keyspace = server.config.cassandra.keyspace;
  const config = readConfig({ JWT_SECRET, ...process.env, CASSANDRA_KEYSPACE: keyspace, ...settings });
  const app = await createServer(server.writeServices, config, pino({ level: 'silent' }), { embedded: true });
  apps.push(app);
  return app;
}

/** Starts a server with these settings on the network of ada and bo; gives what sends a request to it. */
export async function start(
  settings: NodeJS.ProcessEnv,
): Promise<(request: InjectOptions) => Promise<unknown>> {
  const app = await startApp(settings);
  return async (request) => {
    const reply = await app.inject({ url: '/graphql', method: 'POST', ...request });
    return { status: reply.statusCode, ...(JSON.parse(reply.body) as object) };
  };
}
