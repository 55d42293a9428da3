import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import pino from 'pino';
import { readConfig, type Config } from '../../src/config';
import { moveActs } from '../../src/import/own/move-acts';
import type { Outcome } from '../../src/import/store/outcome';
import { createStore } from '../../src/import/store/store';
import type { FollowRecord, ImportRecord, TweetRecord, UserRecord } from '../../src/import/records/record';
import type { Database } from '../../src/kit/cassandra/database';
import { silentNulls } from '../../src/tools/testing/silent-nulls';
import { undeclaredReads, answerOf, type Answer } from '../../src/tools/testing/testing';
import { emptyTables, keyspaceOf } from './keyspaces';
import { serverNumbers, servers } from '../../src/kit/work/worker';
import { openDatabase } from '../../src/open';
import { createSchema, tables, taskHandlers } from '../../src/app';
import { createServer } from '../../src/server';
import { setBucketAssigner, type BucketAssignerOptions } from '../../src/kit/lists/bucket-assigner';
import { signToken } from '../../src/features/viewer/token';
import { openWriteServices, type WriteServices } from '../../src/write/write-services';

export type { Answer };

/** Tests send in seconds more than a client sends in a day, and run in the server's process. `test/admission` tests the limits. */
const unhindered = {
  // Most tests expect what others did at once, and count reads; test/cache tests the cache.
  CACHE_SECONDS: '0',
  // Many tests ask for more in one request than clients do; test/cost tests these limits.
  LIMIT_READS: '1000000000',
  LIMIT_ROWS: '1000000000',
  LIMIT_BYTES: '1000000000000',
  // A busy machine takes longer for a request than a server of clients may; test/deadline tests this limit.
  LIMIT_MILLISECONDS: '60000',
  SHED_EVENT_LOOP_MS: '0',
  SHED_HEAP_BYTES: '0',
  SHED_BUFFER_BYTES: '0',
  RATE_POINTS_PER_MINUTE: '0',
  RATE_MUTATIONS_PER_MINUTE: '0',
  RATE_PAIR_PER_HOUR: '0',
  RATE_REQUESTS_AT_ONCE: '0',
  QUOTA_POSTS_PER_HOUR: '0',
  QUOTA_FOLLOWS_PER_HOUR: '0',
  QUOTA_DELETIONS_PER_HOUR: '0',
  QUOTA_RENAMES_PER_DAY: '0',
  QUOTA_BYTES_PER_DAY: '0',
};

const schema = createSchema();

/** The secret of every test's tokens. */
export const JWT_SECRET = 'a secret that only the tests know';
/** Whom every test's tokens are made for. Servers that take themselves for one of a cluster need it. */
export const JWT_AUDIENCE = 'tests';

/** The authorization header of a user, given by id, or of a `service`. A `Bearer` header is returned as it is. */
export async function authorization(who: string): Promise<string> {
  if (who.startsWith('Bearer')) return who;
  const claims = who === 'service' ? { subject: who, scope: who } : { subject: who };
  return `Bearer ${await signToken(JWT_SECRET, { ...claims, audience: JWT_AUDIENCE }, 1)}`;
}

/** A server and its keyspace. */
export interface Harness {
  readonly database: Database;
  readonly config: Config;
  readonly writeServices: WriteServices;
  /** Sends a query as a service, which may read every timeline, or as the user with an id; `null` means without a token. */
  query(source: string, variables?: Readonly<Record<string, unknown>>, who?: string | null): Promise<Answer>;
  /** Sends any body to /graphql, as a service by default. */
  post(payload: string, who?: string | null): Promise<{ status: number; body: string }>;
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<{ status: number; body: string }>;
  /** Sends any request, without a token unless its headers have one. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse>;
  /** Listens on a free port of this machine, and resolves to the address. */
  listen(): Promise<string>;
  /** Imports records. Resolves to why records were rejected, by their index. */
  store(records: readonly ImportRecord[]): Promise<ReadonlyMap<number, string>>;
  /** Empties all tables, in a tenth of the time that a new keyspace takes. Only for servers that have run no mutation. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

const open = new Set<Harness>();
afterAll(async () => {
  // The last one is closed first: it may use the keyspace of an earlier one, which drops it.
  for (const harness of [...open].reverse()) await harness.close();
});

const noOptions: BucketAssignerOptions = {};

/** Creating a keyspace takes seconds, emptying one a tenth of that. So each Jest worker keeps some: these are in use. */
const inUse = new Set<number>();

function takeKeyspace(): number {
  let number = 1;
  while (inUse.has(number)) number++;
  inUse.add(number);
  return number;
}

/**
 * Starts a server on the Cassandra of the test run, with an empty keyspace or with that of the server `beside`. If it is
 * `held`, tasks are enqueued but not run. `lists` tells when lists are split. The
 * server is closed after the last test of the file, unless a test closes it before.
 */
export async function startHarness(
  settings: NodeJS.ProcessEnv = {},
  beside?: Harness,
  { held = false, lists = noOptions, waitingRequests = (): number => 0 } = {},
): Promise<Harness> {
  const number = beside ? null : takeKeyspace();
  const keyspace =
    beside?.config.cassandra.keyspace ?? keyspaceOf(process.env['JEST_WORKER_ID'] ?? '1', number ?? 0);
  const config = readConfig({
    EXPLAIN: 'everybody',
    TRENDS_EVERY_SECONDS: '0',
    JWT_SECRET,
    ...unhindered,
    ...process.env,
    CASSANDRA_KEYSPACE: keyspace,
    ...settings,
  });
  const logger = pino({ level: process.env['LOG_LEVEL'] ?? 'warn' });
  const opened = await openDatabase(config, logger);
  if (number !== null) await emptyTables(opened.database, config.cassandra.keyspace, tables);
  setBucketAssigner(opened.database, lists);
  const writeServices = await openWriteServices(opened.database, config, logger);
  if (!held) writeServices.outbox.start(taskHandlers(writeServices));
  const app = await createServer(writeServices, config, logger, { embedded: true, waitingRequests });
  const post = async (payload: string, who: string | null = 'service') => {
    const headers = {
      'content-type': 'application/json',
      'x-explain': 'true',
      ...(who !== null && { authorization: await authorization(who) }),
    };
    const { statusCode, body } = await app.inject({ method: 'POST', url: '/graphql', headers, payload });
    return { status: statusCode, body };
  };
  const harness: Harness = {
    database: opened.database,
    config,
    writeServices,
    post,
    async query(query, variables = {}, who = 'service') {
      const { status, body } = await post(JSON.stringify({ query, variables }), who);
      const answer = answerOf(status, body);
      expect(undeclaredReads(schema, answer.reads)).toEqual([]);
      expect(silentNulls(schema, query, answer)).toEqual([]);
      return answer;
    },
    inject: (request) => app.inject(request),
    async get(url, headers = {}) {
      const { statusCode, body } = await app.inject({ method: 'GET', url, headers });
      return { status: statusCode, body };
    },
    listen: () => app.listen({ port: 0, host: '127.0.0.1' }),
    async store(records) {
      const store = createStore(opened.database, config, async (merges) => {
        for (const [from, to] of merges) await moveActs(writeServices, from, to);
      });
      const outcomes = await store.add(records);
      await store.settle();
      return refusedIn(outcomes);
    },
    async empty() {
      await emptyTables(
        opened.database,
        config.cassandra.keyspace,
        tables.filter(({ name }) => name !== servers.name && name !== serverNumbers.name),
      );
    },
    async close() {
      if (!open.delete(harness)) return;
      await app.close();
      await writeServices.close();
      await opened.close();
      if (number !== null) inUse.delete(number);
    },
  };
  open.add(harness);
  return harness;
}

/** Why records were refused, by their index. */
export function refusedIn(outcomes: readonly Outcome[]): ReadonlyMap<number, string> {
  return new Map(
    outcomes.flatMap((outcome, index) => (typeof outcome === 'object' ? [[index, outcome.refused]] : [])),
  );
}

/** The record of a user. */
export function person(userId: string, username: string): UserRecord {
  return {
    kind: 'user',
    userId,
    username,
    name: `The ${username}`,
    onTwitter: true,
    createdAt: new Date('2026-01-01'),
  };
}

/** The record of a follow, `minute` minutes into 2026. */
export function follow(follower: string, followee: string, minute = 0): FollowRecord {
  const followedAt = new Date(Date.UTC(2026, 0, 1, 0, minute));
  return { kind: 'follow', follower: { userId: follower }, followee: { userId: followee }, followedAt };
}

/** The record of a tweet, `day` days into 2026. */
export function tweet(
  tweetId: string,
  authorId: string,
  day = 0,
  more: Partial<TweetRecord> = {},
): TweetRecord {
  return {
    kind: 'tweet',
    tweetId,
    author: { userId: authorId },
    content: `tweet ${tweetId}`,
    createdAt: new Date(Date.UTC(2026, 0, 1 + day)),
    language: 'en',
    hashtags: [],
    mentions: [],
    raw: '{}',
    ...more,
  };
}
