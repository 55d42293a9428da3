import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../src/tools/embedded/ports';
import { authorization, startHarness } from './harness';

/** A server that is a process of its own, with a keyspace of its own. People sign up by its API. */
export interface ServerProcess {
  /** Where GraphQL is. */
  readonly api: string;
  /** Asks as somebody. Throws the messages of the errors. */
  ask<Data>(who: string, query: string, variables?: Readonly<Record<string, unknown>>): Promise<Data>;
  /** Makes a user with this username, who is asked for by it. */
  signUp(username: string): Promise<{ readonly id: string }>;
  /** Kills the server without a warning. */
  kill(): Promise<void>;
  /** Starts it again, where it was. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server with these settings, and waits until it is ready. */
export async function startServerProcess(settings: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
  const database = await startHarness({}, undefined, { held: true });
  const { native: port } = await freePorts(['127.0.0.1']);
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    child = spawn(process.execPath, [join(__dirname, 'run.cjs'), 'src/main.ts'], {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        LOG_LEVEL: 'warn',
        CASSANDRA_KEYSPACE: database.config.cassandra.keyspace,
        PORT: String(port),
        JWT_SECRET: database.config.jwt.secret ?? '',
        JWT_AUDIENCE: database.config.jwt.audience ?? '',
        ...settings,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const isReady = async () => (await fetch(`${url}/health/ready`)).ok;
    while (!(await isReady().catch(() => false))) {
      if (child.exitCode !== null)
        throw new Error('The server must start, but ended: see what it said above.');
      await sleep(100);
    }
  }

  async function kill(): Promise<void> {
    if (child?.exitCode !== null || !child.kill('SIGKILL')) return;
    await once(child, 'exit');
  }

  async function ask<Data>(
    who: string,
    query: string,
    variables: Readonly<Record<string, unknown>> = {},
  ): Promise<Data> {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: await authorization(who) },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data: Data; errors?: { message: string }[] };
    if (errors) throw new Error(errors.map(({ message }) => message).join('\n'));
    return data;
  }

  await start();
  return {
    api: `${url}/graphql`,
    ask,
    async signUp(username) {
      const query = 'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id } } }';
      const input = { username, name: username.toUpperCase() };
      const { createUser } = await ask<{ createUser: { user: { id: string } } }>(username, query, { input });
      return createUser.user;
    },
    kill,
    start,
    async close() {
      await kill();
      await database.close();
    },
  };
}
