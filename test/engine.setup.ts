import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openEngine, type Engine } from '../src/tools/embedded/engine';

declare global {
  var engine: Engine | undefined;
}

/** Settings for a node that nobody starts again, on a machine with two cores: with them, it takes a fifth less of the processor. */
const properties = [
  // Cassandra does not write its own tables to disk after each change of the schema and each emptied table, which tests do all the time.
  '-Dcassandra.unsafesystem=true',
  '-Dcassandra.config.allow_system_properties=true',
  // Writes do not wait for the disk, so few threads are enough.
  '-Dcassandra.settings.commitlog_sync=periodic',
  '-Dcassandra.settings.commitlog_sync_period=10s',
  '-Dcassandra.settings.native_transport_max_threads=8',
  '-Dcassandra.settings.concurrent_reads=4',
  '-Dcassandra.settings.concurrent_writes=4',
  // Cassandra looks at the clock every 50 ms instead of 2, for its timeouts.
  '-Dcassandra.approximate_time_precision_ms=50',
];

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
    properties,
    log: (line) => process.stderr.write(`${line}\n`),
  });
  globalThis.engine = engine;
  process.env['CASSANDRA_CONTACT_POINTS'] = engine.contactPoints.join(',');
  process.env['CASSANDRA_LOCAL_DATACENTER'] = engine.localDatacenter;
  process.env['CASSANDRA_REPLICATION_FACTOR'] = '1';
  process.env['CASSANDRA_READ_CONSISTENCY'] = 'LOCAL_ONE';
  process.env['CASSANDRA_WRITE_CONSISTENCY'] = 'LOCAL_ONE';
}
