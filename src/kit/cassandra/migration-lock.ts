import { createHash } from 'node:crypto';
import type { Database } from './database';

/** Migrations cannot be applied: the message names the file, or says that the lock was lost. */
export class MigrationError extends Error {}

/** The right to change a keyspace's tables. One server has it at a time. */
interface MigrationLock {
  /** Checks that the lock is still held, and renews it for its full duration. Throws `MigrationError` if it is lost. */
  keep(this: void): Promise<void>;
  release(this: void): Promise<void>;
}

/**
 * Creates the table `migrations` if it is missing. The table holds the lock, so no lock can guard its creation. If servers
 * create a table at once through different nodes, it gets different ids, and the nodes disagree about it for good
 * (CASSANDRA-9933). So its id is derived from its name, and all servers create the same table. Looking for it first avoids
 * a schema change when a server starts later.
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
  // The lock is decided by several nodes.
  await database.agreeOnSchema();
}

/** Derives a version 8 UUID (RFC 9562, for custom formats) from the name of a table. */
function tableIdOf(keyspace: string, table: string): string {
  const bytes = createHash('sha256').update(`${keyspace}.${table}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * Takes the lock for a holder; resolves to null if another one has it. The lock expires after `seconds`, and until it is
 * released it is renewed four times in that time, however long a statement takes.
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
  // A retry after a timeout may find that its own first request was applied.
  if (row?.['[applied]'] !== true && row?.['holder'] !== holder) return null;
  const renew = async () => {
    const [renewed] = await database.run(
      `UPDATE migrations USING TTL ${seconds} SET holder = ? WHERE file = 'lock' IF holder = ?`,
      [holder, holder],
    );
    return renewed?.['[applied]'] === true;
  };
  // The next `keep` reports a failed renewal.
  const timer = setInterval(() => void renew().catch(() => false), (seconds * 1000) / 4);
  timer.unref();
  return {
    async keep() {
      if (!(await renew())) throw new MigrationError('The migration lock was lost; start the server again.');
    },
    async release() {
      clearInterval(timer);
      await database.run("DELETE FROM migrations WHERE file = 'lock' IF holder = ?", [holder]);
    },
  };
}
