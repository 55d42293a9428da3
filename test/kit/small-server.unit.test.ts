import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromSources } from '../../src/kit/base/from-sources';
import { programOf } from '../../src/kit/server/small-server';
import { createSchema } from '../../src/app';

const server = {
  title: 'Small',
  features: {},
  page: { tabs: [], emptyTab: '' },
  keyspace: 'small',
  cql: 'cql',
  createSchema,
  fill: () => Promise.resolve(),
};

test('a small server works on its own keyspace unless the environment names another', () => {
  const keyspaceOf = (environment: NodeJS.ProcessEnv) =>
    programOf(server, environment).config.cassandra.keyspace;
  expect(keyspaceOf({})).toBe('small');
  expect(keyspaceOf({ CASSANDRA_KEYSPACE: ' ' })).toBe('small');
  expect(keyspaceOf({ CASSANDRA_KEYSPACE: 'other' })).toBe('other');
  expect(() => keyspaceOf({ CASSANDRA_KEYSPACE: 'Other' })).toThrow('CASSANDRA_KEYSPACE is not usable');
});

test('the name of a keyspace has lower-case letters, digits and underscores, and begins with a letter', () => {
  const keyspaceOf = (keyspace: string) =>
    programOf(server, { CASSANDRA_KEYSPACE: keyspace }).config.cassandra.keyspace;
  const allowed = ['a', 'a1_', 'my_app', 'x'.repeat(48)];
  expect(allowed.map(keyspaceOf)).toEqual(allowed);
  for (const name of ['myApp', 'App', '1x', '_x', 'my-app', 'ä', 'x'.repeat(49)])
    expect(() => keyspaceOf(name)).toThrow(
      `CASSANDRA_KEYSPACE is not usable: must be 1 to 48 lower-case letters, digits and underscores, beginning with a letter, but got: ${JSON.stringify(name)}`,
    );
});

test('what lies beside sources is found from what is compiled of them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sources-'));
  try {
    // The checkout itself may be in a folder of that name.
    const root = join(folder, 'dist', 'checkout');
    for (const path of ['src', 'cql', 'dist/src']) mkdirSync(join(root, path), { recursive: true });
    expect(fromSources(join(root, 'src'), '../cql')).toBe(join(root, 'cql'));
    expect(fromSources(join(root, 'dist/src'), '../cql')).toBe(join(root, 'cql'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
