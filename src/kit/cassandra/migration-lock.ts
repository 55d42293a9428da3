import { keepRenewing } from '../base/renewal';
import type { Database } from './database';
import { MigrationError } from './migration-table';

/** The right to change a keyspace's tables. One server has it at a time. */
interface MigrationLock {
  /** Checks that the lock is still held. Throws `MigrationError` if it is lost. */
  check(this: void): Promise<void>;
  release(this: void): Promise<void>;
}

/**
 * Takes the lock for a holder; resolves to null if another one has it. The lock expires after `seconds`, and until it is
 * released a timer renews it four times in that time, however long a statement takes. So a check need not ask the database,
 * unless the last renewals have failed.
 */
export async function takeMigrationLock(
  database: Database,
  holder: string,
  seconds: number,
): Promise<MigrationLock | null> {
  // Cassandra cuts times to seconds. The clock is that of the day, which goes on while a machine sleeps.
  const endOf = (began: number) => began + (seconds - 1) * 1000;
  let until = endOf(Date.now());
  const [row] = await database.run(
    `INSERT INTO migrations (file, holder) VALUES ('lock', ?) IF NOT EXISTS USING TTL ${seconds}`,
    [holder],
  );
  // A retry after a timeout may find that its own first request was applied.
  if (row?.['[applied]'] !== true && row?.['holder'] !== holder) return null;
  const renew = async () => {
    const began = Date.now();
    const [renewed] = await database.run(
      `UPDATE migrations USING TTL ${seconds} SET holder = ? WHERE file = 'lock' IF holder = ?`,
      [holder, holder],
    );
    until = renewed?.['[applied]'] === true ? endOf(began) : 0;
  };
  const stopRenewing = keepRenewing(renew, (seconds * 1000) / 4);
  return {
    async check() {
      if (Date.now() >= until) await renew();
      if (Date.now() >= until)
        throw new MigrationError('The migration lock was lost; start the server again.');
    },
    async release() {
      stopRenewing();
      await database.run("DELETE FROM migrations WHERE file = 'lock' IF holder = ?", [holder]);
    },
  };
}
