import { readConfig } from '../src/config';
import { connectDatabase } from '../src/kit/cassandra/database';
import { dropKeyspaces } from './keyspaces';

/** Drops what the workers kept, and gives the run's Cassandra back. */
export default async function tearDown(): Promise<void> {
  const { contactPoints, localDatacenter, readConsistency, writeConsistency } = readConfig(
    process.env,
  ).cassandra;
  const options = { contactPoints: contactPoints ?? [], localDatacenter, readConsistency, writeConsistency };
  const database = await connectDatabase(options);
  await dropKeyspaces(database);
  await database.close();
  await globalThis.engine?.release();
}
