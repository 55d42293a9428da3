import { createHash } from 'node:crypto';
import type { Database } from './database';

/** A migration that cannot be applied; the message names the file. */
export class MigrationError extends Error {}

/** The right to change a keyspace's tables, which one server at a time has. */
export interface MigrationLock {
  /** Makes sure that the lock is held, for its whole time again. Throws `MigrationError` where it is lost. */
  keep(this: void): Promise<void>;
  release(this: void): Promise<void>;
}

/**
 * Makes the table `migrations`, which holds the lock, so that no lock can guard its making. Servers that make a table at
 * once through different nodes give it different ids, and the nodes then disagree about it for good (CASSANDRA-9933):
 * with an id that follows from the name, they all make the same table. It is made only where it is missing, so that a
 * server that starts later changes no schema.
 */
export async function createMigrationsTable(database: Database, keyspace: string): Promise<void> {
  const [existing] = await database.run(
    "SELECT id FROM system_schema.tables WHERE keyspace_name = ? AND table_name = 'migrations'",
    [keyspace],
  );
  if (existing) return;
  await database.run(
    `CREATE TABLE IF NOT EXISTS migrations (file text PRIMARY KEY, checksum text, holder text)
     WITH ID = ${tableIdOf(keyspace, 'migrations')}
     AND comment = 'Which files of cql/ have been applied? The row lock is held by the server that applies them.'`,
  );
}

/** An UUID of version 8 (RFC 9562, whatever its maker likes) that follows from the name of a table. */
function tableIdOf(keyspace: string, table: string): string {
  const bytes = createHash('sha256').update(`${keyspace}.${table}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * Takes the lock for a holder, null where another has it. It expires after so many seconds, and until it is released it
 * is renewed four times in them, however long a statement takes.
 */
export async function takeMigrationLock(
  database: Database,
  holder: string,
  seconds: number,
): Promise<MigrationLock | null> {
  const [row] = await database.run(
    `INSERT INTO migrations (file, holder) VALUES ('lock', ?) IF NOT EXISTS USING TTL ${seconds}`,
    [holder],
  );
  // A request that is made again after a timeout finds its own row.
  if (row?.['[applied]'] !== true && row?.['holder'] !== holder) return null;
  const renew = async () => {
    const [renewed] = await database.run(
      `UPDATE migrations USING TTL ${seconds} SET holder = ? WHERE file = 'lock' IF holder = ?`,
      [holder, holder],
    );
    return renewed?.['[applied]'] === true;
  };
  // What fails here is told by the next `keep`.
  const timer = setInterval(() => void renew().catch(() => false), (seconds * 1000) / 4);
  timer.unref();
  return {
    async keep() {
      if (!(await renew())) throw new MigrationError('The migration lock was lost; start again.');
    },
    async release() {
      clearInterval(timer);
      await database.run("DELETE FROM migrations WHERE file = 'lock' IF holder = ?", [holder]);
    },
  };
}
