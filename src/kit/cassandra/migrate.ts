import { retry } from '../base/retry';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '../base/errors';
import type { Database } from './database';
import { readMigrations } from './migration-files';
import { takeMigrationLock } from './migration-lock';
import {
  createMigrationsTable,
  hasMigrationsTable,
  MigrationError,
  findPending,
  recordApplied,
  tableIds,
  type Migrated,
} from './migration-table';

/** How long a lock lasts if it is not renewed. */
const LOCK_SECONDS = 60;
const MAX_TRIES = 10;
/** How often half a minute is waited until all nodes have the tables: small machines that start several nodes need more than one. */
const MAX_WAITS = 10;

/** The migrations to apply, and the keyspace. */
interface MigrateOptions extends Migrated {
  readonly log: (line: string) => void;
  readonly lockSeconds?: number;
}

/**
 * Applies the numbered files of a folder to the database's keyspace, each once and in order, even if many servers start at
 * once: one of them holds a lock (a row with a time to live, renewed while statements run), and the others wait. Each
 * statement must change nothing when it is applied again, so after a crash in the middle of a file, the file is applied
 * again, with those after it. All statements go to one node, which knows its own changes, so nobody waits between them. Only at the
 * end the nodes must agree, and then the files are recorded as applied. If the keyspace had earlier files, logs what an operator
 * must do after the upgrade. Throws `MigrationError` if the keyspace is of an earlier baseline or has files that are not in the folder, if a file
 * cannot be applied or was changed since, or if the lock is lost; then another server goes on with the files.
 */
export async function migrate(
  database: Database,
  { keyspace, folder, log, lockSeconds = LOCK_SECONDS }: MigrateOptions,
): Promise<void> {
  const files = readMigrations(folder);
  const pending = () => repeat(() => findPending(database, { keyspace, folder }, files));
  await repeat(() => createMigrationsTable(database, keyspace));
  if ((await pending()).length === 0) return;
  const holder = randomUUID();
  const take = () => repeat(() => takeMigrationLock(database, holder, lockSeconds));
  let lock = await take();
  for (; !lock; lock = await take()) await sleep(500);
  const { check, release } = lock;
  // The lock is checked before each attempt: it may have been lost during the statement before or the pause before a retry.
  const locked = (work: () => Promise<unknown>) =>
    repeat(async () => {
      await check();
      await work();
    });
  try {
    const toApply = await pending();
    const isUpgrade = toApply.length < files.length;
    const withId = await repeat(() => tableIds(database));
    for (const file of toApply) {
      for (const statement of file.statements) {
        await locked(() => database.changeSchema(withId(file, statement))).catch((cause: unknown) => {
          if (!(cause instanceof Error) || cause instanceof ClientError || cause instanceof MigrationError)
            throw cause;
          throw new MigrationError(`${file.name} could not be applied: ${cause.message}`, { cause });
        });
      }
    }
    // Other servers begin when the files are recorded, and end if a node does not know their tables.
    for (let wait = 0; wait < MAX_WAITS && !(await database.agreeOnSchema()); wait++)
      log('all files are applied, but not all nodes have their tables yet');
    for (const file of toApply) {
      await locked(() => recordApplied(database, { keyspace, folder }, file));
      log(`applied ${file.name}`);
      if (file.advice !== null && isUpgrade) log(`${file.name}: ${file.advice}`);
    }
  } finally {
    await release();
  }
}

/**
 * Throws `MigrationError` if a keyspace has tables that the files of a folder do not create. Files that are not applied yet are no error.
 */
export async function checkMigrations(database: Database, { keyspace, folder }: Migrated): Promise<void> {
  if (await hasMigrationsTable(database, keyspace))
    await findPending(database, { keyspace, folder }, readMigrations(folder));
}

/** Retries failed work, which may need a schema change that has not reached the node that was asked. */
function repeat<T>(work: () => Promise<T>): Promise<T> {
  return retry(work, (error, attempts) =>
    attempts === MAX_TRIES || error instanceof MigrationError ? null : 1000,
  );
}
