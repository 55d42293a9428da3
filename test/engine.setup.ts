import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openEngine, type Engine } from '../src/tools/embedded/engine';

declare global {
  var engine: Engine | undefined;
}

/** One Cassandra for the whole run: the named cluster, else the embedded node, else a container. */
export default async function setUp(): Promise<void> {
  process.env['TEST_KEYSPACE'] = `test_${randomBytes(6).toString('hex')}`;
  if (process.env['CASSANDRA_CONTACT_POINTS'] !== undefined) return;
  const engine = await openEngine({
    dataDir: join(__dirname, '..', 'data', 'test'),
    container: true,
    isTemporary: true,
    // Many tests have clients of their own.
    asksForPassword: false,
    // Cassandra does not write its own tables to disk after each change of the schema and each emptied table, which tests do all the time.
    properties: ['-Dcassandra.unsafesystem=true'],
    log: (line) => process.stderr.write(`${line}\n`),
  });
  globalThis.engine = engine;
  process.env['CASSANDRA_CONTACT_POINTS'] = engine.contactPoints.join(',');
  process.env['CASSANDRA_LOCAL_DATACENTER'] = engine.localDatacenter;
  process.env['CASSANDRA_REPLICATION_FACTOR'] = '1';
  process.env['CASSANDRA_READ_CONSISTENCY'] = 'LOCAL_ONE';
  process.env['CASSANDRA_WRITE_CONSISTENCY'] = 'LOCAL_ONE';
}
