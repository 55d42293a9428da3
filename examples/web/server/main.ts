import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { readConfig } from '../../../src/config';
import { signerFor } from '../../../src/token/tokens';
import { createPageServer } from './page-server';

const HOST = '127.0.0.1';
const DEFAULT_PORT = 4080;

/** This file is compiled to `dist/examples/web/server`. */
const dist = join(__dirname, '../../..');
const example = join(dist, '../examples/web/page');

/**
 * Serves the page at `PAGE_PORT`, and starts the API that it asks, which trusts the documents of the page. With `API_URL` it asks
 * another server of this machine instead.
 */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const port = Number(process.env['PAGE_PORT'] ?? DEFAULT_PORT);
  const page = `http://${HOST}:${port}`;
  const api = process.env['API_URL'] ?? `http://${HOST}:${config.port}/graphql`;
  const signer = await signerFor(config, 'users');
  const app = await createPageServer({
    folder: join(dist, 'web'),
    api,
    async signIn(username) {
      const user = await findUser(api, username);
      if (user === null) return null;
      return { username: user.username, token: await signer.forUser(user.userId) };
    },
    people: async () => {
      const ada = await findUser(api, 'ada').catch(() => null);
      return ada ? ['ada', ...ada.following.nodes.map(({ username }) => username)] : [];
    },
  });
  await app.listen({ host: HOST, port });
  if (process.env['API_URL'] === undefined) startApi(page);
  process.stderr.write(`The page is at ${page} as soon as the server of the API is ready\n`);
}

interface FoundUser {
  readonly userId: string;
  readonly username: string;
  readonly following: { readonly nodes: readonly { readonly username: string }[] };
}

/** Finds a user by the API; null if there is none. Rejects if the API does not answer. */
async function findUser(api: string, username: string): Promise<FoundUser | null> {
  const query =
    'query ($username: String!) { user(username: $username) { userId username following(first: 4) { nodes { username } } } }';
  const response = await fetch(api, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { username } }),
  });
  const { data } = (await response.json()) as { data: { user: FoundUser | null } };
  return data.user;
}

/** Starts the API, and again when it is killed, as whatever runs servers does. The page ends when the API ends by itself. */
function startApi(page: string): void {
  let child: ChildProcess | undefined;
  let isStopping = false;
  function start(): void {
    if (isStopping) process.exit(0);
    const env = {
      TRUSTED_DOCUMENTS: join(example, 'src/gql/persisted-documents.json'),
      ...process.env,
      CORS_ORIGIN: [process.env['CORS_ORIGIN'], page].filter(Boolean).join(','),
    };
    child = spawn(process.execPath, [...process.execArgv, join(dist, 'src/main.js')], {
      env,
      stdio: 'inherit',
    });
    child.on('exit', (code, signal) => {
      if (signal !== null && !isStopping) setTimeout(start, 1000);
      else process.exit(code ?? 0);
    });
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      isStopping = true;
      child?.kill(signal);
    });
  }
  start();
}

main().catch((error: unknown) => {
  process.stderr.write(`The page cannot be served: ${String(error)}\n`);
  process.exitCode = 1;
});
