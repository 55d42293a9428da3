import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { readConfig } from '../../src/config';
import type { ImportRecord } from '../../src/import/records/record';
import { createStore } from '../../src/import/store/store';
import { tables } from '../../src/app';
import { findId, keepingIds } from '../../src/jobs/find-id';
import { freePorts } from '../../src/tools/embedded/ports';
import { openDatabase } from '../../src/open';
import { signToken } from '../../src/features/viewer/token';
import type { Cluster } from './cluster';
import { Server } from './server';
import type { Violation } from './violation';

/** The root folder of the project, from the source folder or from dist. */
const root = join(__dirname, __dirname.includes(join('dist', 'test')) ? '../../..' : '../..');

/** Whom the tokens of a stage are made for. */
const AUDIENCE = 'the stage';

/** Servers with their own keyspace, and a folder for their logs and those of the rounds. */
export interface Stage {
  readonly servers: readonly Server[];
  readonly folder: string;
  /** Whether the servers' starts are by two versions in turn. */
  readonly isUpgrade: boolean;
  /** The settings of the servers, without those of a round. */
  readonly environment: NodeJS.ProcessEnv;
  /** Aborted if a server ends by itself, or by the user of the stage. */
  readonly failed: AbortController;
  /** Signs a user's token, or a service's. */
  readonly token: (subject: string, scope?: 'service') => Promise<string>;
  /** Imports records, preferably while no server runs. */
  readonly store: (records: readonly ImportRecord[], settings: NodeJS.ProcessEnv) => Promise<void>;
  /** Looks for the ids of users in every table, as `npm run verify -- --user` does. Resolves to what has them, by id. */
  readonly findUsers: (userIds: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;
  /** Creates an empty file in the folder, and returns a function that appends a line to it. */
  readonly open: (file: string) => (line: string) => void;
  readonly stop: () => Promise<void>;
}

/** The arguments of Node that run the compiled server of a checkout, which `node scripts/prepare.mjs` builds there. */
export const compiledServer = (checkout = root) => [
  '--enable-source-maps',
  join(checkout, 'dist/src/main.js'),
];

/** Prepares servers, which do not run yet. Their logs go to `folder`. With several programs, their starts are by these in turn. */
export async function createStage(
  cluster: Pick<Cluster, 'environment'> & Partial<Pick<Cluster, 'serverSettings'>>,
  count = 2,
  folder = join(root, 'data/crash'),
  programs: readonly (readonly string[])[] = [compiledServer()],
): Promise<Stage> {
  mkdirSync(folder, { recursive: true });
  const open = (file: string) => {
    const path = join(folder, file);
    writeFileSync(path, '');
    return (line: string) => {
      appendFileSync(path, `${line}\n`);
    };
  };
  const failed = new AbortController();
  const secret = randomBytes(32).toString('base64url');
  const environment = {
    ...cluster.environment,
    CASSANDRA_KEYSPACE: `crash_${randomBytes(6).toString('hex')}`,
    JWT_SECRET: secret,
    JWT_AUDIENCE: AUDIENCE,
    // A few users send more in minutes than anybody sends in a day.
    RATE_MUTATIONS_PER_MINUTE: '0',
    RATE_PAIR_PER_HOUR: '0',
    QUOTA_POSTS_PER_HOUR: '0',
    QUOTA_FOLLOWS_PER_HOUR: '0',
    QUOTA_DELETIONS_PER_HOUR: '0',
    QUOTA_RENAMES_PER_DAY: '0',
    QUOTA_BYTES_PER_DAY: '0',
  };
  const ports = new Set<number>();
  while (ports.size < count) ports.add((await freePorts(['127.0.0.1'])).native);
  const servers = [...ports].map((port, index) => {
    const name = String.fromCharCode('a'.charCodeAt(0) + index);
    const onEnd = (violation: Violation) => {
      failed.abort(violation);
    };
    const log = `server-${name}.log`;
    open(log);
    const settings = cluster.serverSettings?.[index % cluster.serverSettings.length] ?? {};
    return new Server({ name, programs, settings, port, log: join(folder, log), onEnd });
  });
  return {
    servers,
    folder,
    isUpgrade: programs.length > 1,
    environment,
    failed,
    token: (subject, scope) =>
      signToken(secret, { subject, audience: AUDIENCE, ...(scope !== undefined && { scope }) }, 1),
    async store(records, settings) {
      const config = readConfig({ ...environment, ...settings });
      const opened = await openDatabase(config, pino({ level: 'warn' }));
      try {
        const store = createStore(opened.database, config);
        await store.add(records);
        await store.settle();
      } finally {
        await opened.close();
      }
    },
    async findUsers(userIds) {
      const opened = await openDatabase(readConfig(environment), pino({ level: 'warn' }));
      try {
        const all = new Map<string, readonly string[]>();
        for (const id of userIds) {
          const having: string[] = [];
          for await (const { table, examples } of findId(opened.database, tables, { type: 'User', id }))
            if (examples.length > 0 && keepingIds[table] === undefined)
              having.push(`${table}: ${examples.join('; ')}`);
          all.set(id, having);
        }
        return all;
      } finally {
        await opened.close();
      }
    },
    open,
    async stop() {
      await Promise.all(servers.map((server) => server.kill()));
    },
  };
}
