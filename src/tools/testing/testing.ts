import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { getNamedType, isObjectType, type GraphQLSchema } from 'graphql';
import type { Database } from '../../kit/cassandra/database';
import type { Read } from '../../kit/reads/load';
import { programOf, type SmallServer } from '../../kit/server/small-server';
import { tablesOf } from '../../kit/cost/reads';
import { silentNulls } from './silent-nulls';

/** An answer of a server, with the reads that it took. */
export interface Answer {
  readonly status: number;
  readonly data: unknown;
  readonly errors: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: { readonly code: string };
  }[];
  readonly reads: readonly Read[];
}

/** Parses an answer of `/graphql`. It lists its reads if the server has EXPLAIN and the request `x-explain: true`. */
export function answerOf(status: number, body: string): Answer {
  const { data, errors, extensions } = JSON.parse(body) as Partial<Answer> & {
    readonly extensions?: { readonly explain?: readonly Read[] };
  };
  return { status, data, errors: errors ?? [], reads: extensions?.explain ?? [] };
}

/** The codes of an answer's errors. */
export function codesOf({ errors }: Answer): string[] {
  return errors.map(({ extensions }) => extensions.code);
}

/** The database requests of an answer, sorted, each as its statement and its number of partitions: `users.get 3`. */
export function readsOf({ reads }: Answer): string[] {
  return reads.map(({ statement, partitions }) => `${statement} ${partitions}`).sort();
}

/** Creates a keyspace name that no other test has. */
export function nameKeyspace(): string {
  return `test_${randomBytes(6).toString('hex')}`;
}

/** A small server for tests. */
export interface TestServer {
  readonly database: Database;
  /** Runs a query or mutation. Throws if a field read a table that it does not declare, or is null without the error that it must have. */
  ask(this: void, source: string, variables?: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** Closes the server and drops its keyspace. */
  close(this: void): Promise<void>;
}

/** Starts a server on a keyspace of its own, in the Cassandra that the environment names or else in an embedded one. */
export async function startTestServer(server: SmallServer): Promise<TestServer> {
  const keyspace = nameKeyspace();
  const settings = {
    LOG_LEVEL: 'warn',
    // The test and the server are one process, so the server's load is the test's own.
    SHED_EVENT_LOOP_MS: '0',
    SHED_HEAP_BYTES: '0',
    RATE_REQUESTS_AT_ONCE: '0',
    ...process.env,
    EXPLAIN: 'everybody',
    CASSANDRA_KEYSPACE: keyspace,
  };
  const { open, serve } = programOf(server, settings);
  const opened = await open();
  const ends: (() => Promise<void>)[] = [];
  const app = await serve(opened, (end) => ends.push(end));
  const schema = server.createSchema();
  return {
    database: opened.database,
    async ask(query, variables = {}) {
      const { statusCode, body } = await app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'x-explain': 'true' },
        payload: { query, variables },
      });
      const answer = answerOf(statusCode, body);
      assert.deepEqual(undeclaredReads(schema, answer.reads), []);
      assert.deepEqual(silentNulls(schema, query, answer), []);
      return answer;
    },
    async close() {
      for (const end of ends) await end();
      await app.close();
      // On a busy machine this takes longer than the timeout, but Cassandra completes it all the same.
      await opened.database.run(`DROP KEYSPACE IF EXISTS ${keyspace}`).catch(() => undefined);
      await opened.close();
    },
  };
}

/** All connections of a schema, as `User.followers`. */
export function connectionsOf(schema: GraphQLSchema): string[] {
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) =>
      Object.values(type.getFields()).flatMap((field) => {
        const returned = getNamedType(field.type);
        const isConnection = isObjectType(returned) && 'pageInfo' in returned.getFields();
        return isConnection ? `${type.name}.${field.name}` : [];
      }),
    );
}

/** The parts of a page that are needed to walk its connection. */
export interface PageOf<E> {
  readonly edges: readonly E[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** The selection that a query needs for `joinPages` in addition to the edges. */
export const PAGE_INFO = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

/**
 * Creates a function that reads pages of a connection. The query gives the connection the alias `list`, and the object that has
 * the connection, if there is one, the alias `of`. Throws if the answer has errors.
 */
export function pageReader<E>(
  ask: (source: string) => Promise<Answer>,
  query: (args: string) => string,
): (args: string) => Promise<PageOf<E>> {
  return async (args) => {
    const { data, errors } = await ask(query(args));
    assert.deepEqual(errors, []);
    const { of, list } = data as { readonly of?: { readonly list: PageOf<E> }; readonly list?: PageOf<E> };
    const page = of?.list ?? list;
    assert.ok(page, `The query must call a connection list, but got: ${JSON.stringify(data)}`);
    return page;
  };
}

/**
 * Walks a whole list in pages of `size` items, from its beginning by `first` and `after` or from its end by `last` and
 * `before`, and joins them in the order of the list. Throws if a page has too many items, leads to itself, or is wrong about
 * whether there are items on the side that the walk comes from.
 */
export async function joinPages<E>(
  page: (args: string) => Promise<PageOf<E>>,
  direction: 'first' | 'last',
  size: number,
): Promise<E[]> {
  const forwards = direction === 'first';
  const joined: E[] = [];
  for (let from = ''; ;) {
    const args = `${direction}: ${size}${from}`;
    const { edges, pageInfo } = await page(args);
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = pageInfo;
    assert.ok(
      edges.length <= size,
      `A page must have at most ${size} items, but got ${edges.length}: ${args}`,
    );
    const hasOppositePage = forwards ? hasPreviousPage : hasNextPage;
    assert.equal(
      hasOppositePage,
      from !== '',
      `A page must know whether there are items on its opposite side, but got ${hasOppositePage}: ${args}`,
    );
    joined.splice(forwards ? joined.length : 0, 0, ...edges);
    if (!(forwards ? hasNextPage : hasPreviousPage)) return joined;
    const next = forwards ? `, after: "${endCursor ?? ''}"` : `, before: "${startCursor ?? ''}"`;
    assert.notEqual(next, from, `A page must lead on, but leads to itself: ${args}`);
    from = next;
  }
}

/** The tables that were read by a field that does not declare them, as `Tweet.author: users`. */
export function undeclaredReads(schema: GraphQLSchema, reads: readonly Read[]): readonly string[] {
  const undeclared = reads.flatMap(({ table, fields }) =>
    fields
      .filter((coordinate) => {
        const [typeName = '', fieldName = ''] = coordinate.split('.');
        const type = schema.getType(typeName);
        const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
        return field === undefined || !tablesOf(field).includes(table);
      })
      .map((coordinate) => `${coordinate}: ${table}`),
  );
  return [...new Set(undeclared)];
}
