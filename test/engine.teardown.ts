import { readConfig } from '../src/config';
import { connectDatabase } from '../src/kit/cassandra/database';
import { keyspaceOf } from './keyspaces';

/** Drops what the workers kept, and gives the run's Cassandra back. */
export default async function tearDown(config: { readonly maxWorkers: number }): Promise<void> {
  const { contactPoints, localDatacenter, readConsistency, writeConsistency } = readConfig(
    process.env,
  ).cassandra;
  const options = { contactPoints: contactPoints ?? [], localDatacenter, readConsistency, writeConsistency };
  const database = await connectDatabase(options);
  for (let worker = 1; worker <= config.maxWorkers; worker++)
    // On a busy machine this takes longer than is waited for, and happens all the same.
    await database.run(`DROP KEYSPACE IF EXISTS ${keyspaceOf(String(worker))}`).catch(() => undefined);
  await database.close();
  await globalThis.engine?.release();
}
