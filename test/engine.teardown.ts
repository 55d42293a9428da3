import { readConfig } from '../src/config';
import { connectDatabase } from '../src/kit/cassandra/database';
import { dropKeyspaces } from './support/keyspaces';

/** Gives the run's Cassandra back, whose data is removed then; of a named cluster, drops what the workers kept. */
export default async function tearDown(): Promise<void> {
  if (globalThis.engine !== undefined) {
    await globalThis.engine.release();
    return;
  }
  const { contactPoints, localDatacenter, readConsistency, writeConsistency } = readConfig(
    process.env,
  ).cassandra;
  const options = { contactPoints: contactPoints ?? [], localDatacenter, readConsistency, writeConsistency };
  const database = await connectDatabase(options);
  await dropKeyspaces(database);
  await database.close();
}
