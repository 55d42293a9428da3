import type { Column } from '../../src/kit/cassandra/column';
import { toSnakeCase } from '../../src/kit/cassandra/statement';
import { tables } from '../../src/app';
import { SEALED_EVERY_SECONDS, segments } from '../../src/kit/postings/postings.table';
import { startHarness, type Harness } from '../support/harness';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});
afterAll(() => server.close());

test('each declaration is what cql/ creates, and cql/ creates nothing else', async () => {
  const rows = await server.database.run(
    `SELECT table_name, column_name, type, kind, position, clustering_order FROM system_schema.columns WHERE keyspace_name = '${server.config.cassandra.keyspace}'`,
  );
  const stored = rows
    .filter((row) => row['table_name'] !== 'migrations')
    .map((row) =>
      [row['table_name'], row['column_name'], row['type'], row['kind'], row['clustering_order']].join(' '),
    );
  const declared = tables.flatMap((table) =>
    Object.entries<Column<unknown>>(table.columns).map(([property, { cql, isStatic }]) => {
      const partition: readonly string[] = table.partition;
      const clustering: readonly string[] = table.clustering;
      const kind = partition.includes(property)
        ? 'partition_key none'
        : clustering.includes(property)
          ? `clustering ${table.order}`
          : `${isStatic ? 'static' : 'regular'} none`;
      return `${table.name} ${toSnakeCase(property)} ${cql} ${kind}`;
    }),
  );
  expect(stored.sort()).toEqual(declared.sort());
});

test('a partition key has the order in which its bytes are made', async () => {
  const rows = await server.database.run(
    `SELECT table_name, column_name, kind, position FROM system_schema.columns WHERE keyspace_name = '${server.config.cassandra.keyspace}'`,
  );
  const stored = rows
    .filter((row) => row['kind'] === 'partition_key' && row['table_name'] !== 'migrations')
    .map((row) => `${String(row['table_name'])} ${String(row['column_name'])} ${String(row['position'])}`);
  const declared = tables.flatMap(({ name, partition }) =>
    partition.map((property, position) => `${name} ${toSnakeCase(property)} ${position}`),
  );
  expect(stored.sort()).toEqual(declared.sort());
});

test('no table forgets deletions, nor its hints, before the hint window of a node that was away has passed', async () => {
  const [setting] = await server.database.run(
    "SELECT value FROM system_views.settings WHERE name = 'max_hint_window'",
  );
  const window = /^(\d+)h$/.exec(String(setting?.['value']))?.[1];
  expect(window).toBeDefined();
  const stored = await server.database.run(
    `SELECT table_name, gc_grace_seconds FROM system_schema.tables WHERE keyspace_name = '${server.config.cassandra.keyspace}'`,
  );
  const graceOf = new Map(stored.map((row) => [row['table_name'], Number(row['gc_grace_seconds'])]));
  // Hints that are as old as the window take a while to arrive.
  expect([...graceOf].filter(([, seconds]) => seconds <= Number(window) * 3600)).toEqual([]);
  expect(tables.filter(({ name }) => !graceOf.has(name))).toEqual([]);
});

test('a part of an index has the tombstones of a day among its segments, and so do the figures of its capacity', async () => {
  const [row] = await server.database.run(
    "SELECT gc_grace_seconds FROM system_schema.tables WHERE keyspace_name = ? AND table_name = 'segments'",
    [server.config.cassandra.keyspace],
  );
  const grace = Number(row?.['gc_grace_seconds']);
  // A merge replaces eight segments by one.
  const removed = (grace / SEALED_EVERY_SECONDS) * (8 / 7);
  const declared = segments.writeLoads.map(({ mostTombstones }) => mostTombstones);
  expect(declared).toEqual([removed, removed]);
});
