import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { isObjectType } from 'graphql';
import type { FieldCost } from '../../src/kit/cost/query-cost';
import { tablesOf } from '../../src/kit/cost/reads';
import type { Database } from '../../src/kit/cassandra/database';
import type { Read } from '../../src/kit/reads/load';
import { createSchema, tables } from '../../src/app';
import { median } from '../../bench/measure';
import { hideUsers } from '../../src/kit/reads/hidden-users';
import { documentsOf } from '../support/documents';
import type { Harness } from '../support/harness';
import { startNetwork } from './network';

/** How many valid queries are tried: more by `npm run test:cost`. */
const QUERIES = Number(process.env['COST_QUERIES'] ?? 200);
/** Beside which as many may be refused, being too odd or too large. */
const MAX_TRIED = 20 * QUERIES;
/** How many documents are tried before it is looked at whether that is enough. */
const RUNS_AT_ONCE = 250;

interface Cost {
  readonly bound: number;
  readonly boundOfRows: number;
  readonly boundOfBytes: number;
  readonly reads: number;
  readonly rows: number;
  readonly bytes: number;
  /** What was read beyond what lists show. */
  readonly reservedBytes?: number;
  readonly fields: readonly FieldCost[];
}

let server: Harness;
/** The bytes of what Cassandra has answered to a request of the API. */
let received = 0;
/** The deadlines of all requests so far, which tell whose a read is: reads of a request may begin and end after it was answered. */
const deadlines = new Set<number>();
let before = new Set<number>();
beforeAll(async () => {
  server = await startNetwork();
  const database = { ...server.database };
  Object.assign(server.database, {
    async read(...given: Parameters<Database['read']>) {
      const until = given[3]?.until;
      // Only reads of requests have a deadline.
      if (until !== undefined) deadlines.add(until);
      const rows = await database.read(...given);
      if (until !== undefined && !before.has(until)) received += sizeOf(rows);
      return rows;
    },
  });
});

/** How many bytes values have at least, whatever their columns declare. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return new TextEncoder().encode(value).length;
  if (value instanceof Date) return 8;
  if (value instanceof Uint8Array) return value.length;
  if (typeof value === 'object' && value !== null)
    return Object.values(value).reduce((sum: number, part) => sum + sizeOf(part), 0);
  return typeof value === 'number' ? 4 : typeof value === 'boolean' ? 1 : 0;
}

test('no row is larger than its table says, and there are rows as large', async () => {
  const largest = new Map<string, number>();
  for (const { name, rowBytes, rows } of tables)
    for (const row of await server.database.run(rows.all)) {
      const size = sizeOf(row);
      if (size > rowBytes) throw new Error(`A row of ${name} has ${size} bytes, not at most ${rowBytes}.`);
      largest.set(name, Math.max(largest.get(name) ?? 0, size / rowBytes));
    }
  // Hashtags and mentions are parts of the text, and nearly as long names are nobody's.
  const greatest = ['articles', 'comments', 'comments_by_article', 'raw_tweets', 'users'];
  for (const name of greatest) expect([name, largest.get(name)]).toEqual([name, expect.closeTo(1, 1)]);
  expect(largest.get('tweets')).toBeGreaterThan(0.7);
});

/** Tables of which a page may read more rows than it shows: it is merged from several, its list is split, or counts decide. */
const BEYOND = /list_buckets|_by_day|_by_area|tweet_counts|timelines_by_user/;

test('every table that a field reads has rows here, so that a bound that is too small is found', async () => {
  const schema = createSchema();
  // Subscriptions are not among the queries that are asked here.
  const types = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => type !== schema.getSubscriptionType());
  const read = new Set(types.flatMap((type) => Object.values(type.getFields()).flatMap(tablesOf)));
  const empty: string[] = [];
  for (const table of read)
    if ((await server.database.run(`SELECT * FROM ${table} LIMIT 1`)).length === 0) empty.push(table);
  expect(empty).toEqual([]);
});

test(
  'no query reads more than its bound says, nor more of a table than its fields say',
  async () => {
    const ratios = new Map<string, number[]>();
    let valid = 0;
    let tried = 0;
    const users = await server.database.run('SELECT CAST(user_id AS text) AS id FROM users');
    const userIds = users.map(({ id }) => String(id));
    const property = fc.asyncProperty(
      documentsOf(createSchema()),
      fc.constantFrom('service', '1', '2', null),
      fc.record({
        n: fc.constantFrom(1, 3, 25, 100),
        s: fc.constantFrom('ada', 'x_1', '100'),
        b: fc.boolean(),
      }),
      fc.constantFrom(0, 0, 1 / 3, 1),
      async (source, who, variables, hiddenPart) => {
        tried++;
        hideUsers(server.database, new Set(userIds.slice(0, Math.ceil(hiddenPart * userIds.length))));
        // The first read of a request that was refused may begin after its answer.
        for (let turn = 0; turn < 10; turn++) await nextTurn();
        received = 0;
        before = new Set(deadlines);
        const { data, extensions } = await askWithCost(source, variables, who);
        if (extensions?.cost?.reads === undefined || data == null) return;
        valid++;
        const { bound, boundOfRows, boundOfBytes, reads, rows, bytes, reservedBytes, fields } =
          extensions.cost;
        const explained = extensions.explain ?? [];
        const more = tablesBeyond(fields, explained);
        if (reads > bound || rows > boundOfRows || bytes > boundOfBytes || more.length > 0)
          throw new Error(
            `A query must read at most its bound, ${bound} partitions, ${boundOfRows} rows and ${boundOfBytes} bytes, of each table as many as its fields say, but read ${reads}, ${rows} and ${bytes}, too many of ${more.join(', ')}: ${JSON.stringify({ fields, explained })}`,
          );
        if (received > bytes)
          throw new Error(`Cassandra has sent ${received} bytes, but the server has counted ${bytes}.`);
        // What is within the bound from the start is all but the rows of few lists.
        if (
          reservedBytes !== undefined &&
          hiddenPart === 0 &&
          !explained.some(({ table }) => BEYOND.test(table))
        )
          throw new Error(
            `A query must read no more bytes than its bound says, but read ${reservedBytes} more: ${JSON.stringify({ source, fields, explained })}`,
          );
        addRatios(ratios, fields, explained);
      },
    );
    while (valid < QUERIES && tried < MAX_TRIED)
      await fc.assert(property, { numRuns: RUNS_AT_ONCE, endOnFailure: true });
    expect(valid).toBeGreaterThanOrEqual(QUERIES);
    if (process.env['COST_QUERIES'] !== undefined) printRatios(valid, tried, ratios);
  },
  6 * 3_600_000,
);

async function askWithCost(query: string, variables: object, who: string | null) {
  const { body } = await server.post(JSON.stringify({ query, variables }), who);
  return JSON.parse(body) as {
    readonly data?: unknown;
    readonly extensions?: { readonly cost?: Cost; readonly explain?: readonly Read[] };
  };
}

/**
 * The tables of which more partitions were read than the fields of a query say. A read counts where each use of each field
 * that asked for it bounds the table: some bound several tables together, which count under the name of the first.
 */
function tablesBeyond(fields: readonly FieldCost[], reads: readonly Read[]): string[] {
  const left = new Map<string, number>();
  const add = (table: string, count: number) => left.set(table, (left.get(table) ?? 0) + count);
  for (const { tables } of fields) for (const { table, reads: bound } of tables) add(table, bound);
  const boundAs = (name: string, table: string): (string | undefined)[] => {
    const uses = fields.filter(({ field }) => field === name);
    if (uses.length === 0) return [undefined];
    return uses.map(({ tables }) => {
      const own = tables.find((one) => one.table === table);
      return (own ?? tables.find(({ otherTables = [] }) => otherTables.includes(table)))?.table;
    });
  };
  for (const { table, partitions, fields: needing } of reads) {
    const [name, ...others] = new Set(needing.flatMap((field) => boundAs(field, table)));
    if (name !== undefined && others.length === 0) add(name, -partitions);
  }
  return [...left].filter(([, count]) => count < 0).map(([table]) => table);
}

/** The partitions that a field read; a read that several fields share counts in part for each. */
function readsAt(path: string, reads: readonly Read[]): number {
  return reads.reduce(
    (sum, { paths, partitions }) => sum + (paths.includes(path) ? partitions / paths.length : 0),
    0,
  );
}

/** Notes how far the bound of each field is from what it read. */
function addRatios(
  ratios: Map<string, number[]>,
  fields: readonly FieldCost[],
  reads: readonly Read[],
): void {
  for (const { path, field, reads: bound } of fields) {
    const read = readsAt(path, reads);
    if (read) ratios.set(field, [...(ratios.get(field) ?? []), bound / read]);
  }
}

function printRatios(valid: number, tried: number, ratios: ReadonlyMap<string, readonly number[]>): void {
  const lines = [...ratios].map(([field, some]) => `${field}: ${median(some).toFixed(1)} (${some.length})`);
  process.stdout.write(
    `${valid} valid queries of ${tried}; bound : measured, median by field\n${lines.sort().join('\n')}\n`,
  );
}
