import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '../base/errors';
import type { Database } from './database';
import { createMigrationsTable, MigrationError, takeMigrationLock } from './migration-lock';

/** How long a lock is good that is not renewed. */
const LOCK_SECONDS = 60;
const MAX_TRIES = 10;

/** What is applied to which keyspace. */
export interface MigrateOptions {
  /** The keyspace that the database works on. */
  readonly keyspace: string;
  /** The folder of the numbered files. */
  readonly folder: string;
  readonly log: (line: string) => void;
  readonly lockSeconds?: number;
}

/**
 * Applies the numbered files of a folder to the database's keyspace, each once, in order, however many servers start
 * at once: one of them holds a lock (a row with a time to live, renewed while statements run), the others wait. A statement
 * is written so that applying it again changes nothing, so a crash in the middle of a file is mended by applying the file
 * again. Throws `MigrationError` where the lock is lost: another server goes on with the files.
 */
export async function migrate(
  database: Database,
  { keyspace, folder, log, lockSeconds = LOCK_SECONDS }: MigrateOptions,
): Promise<void> {
  await createMigrationsTable(database, keyspace);
  const files = readMigrations(folder);
  if ((await patiently(() => pending(database, files))).length === 0) return;
  const holder = randomUUID();
  const take = () => patiently(() => takeMigrationLock(database, holder, lockSeconds));
  let lock = await take();
  for (; !lock; lock = await take()) await sleep(500);
  const { keep, release } = lock;
  // A lock that was lost while a statement ran, or while it was waited to try it again, ends the work before the next.
  const runLocked = (query: string, params: readonly unknown[] = []) =>
    patiently(async () => {
      await keep();
      await database.run(query, params);
    });
  try {
    for (const file of await patiently(() => pending(database, files))) {
      for (const statement of file.statements) {
        await runLocked(statement).catch((cause: unknown) => {
          if (!(cause instanceof Error) || cause instanceof ClientError || cause instanceof MigrationError)
            throw cause;
          throw new MigrationError(`${file.name} could not be applied: ${cause.message}`, { cause });
        });
      }
      await runLocked('INSERT INTO migrations (file, checksum) VALUES (?, ?)', [file.name, file.checksum]);
      log(`applied ${file.name}`);
    }
  } finally {
    await release();
  }
}

/** What needs a definition that has not reached the node which is asked is tried again. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === MAX_TRIES || error instanceof MigrationError) throw error;
      await sleep(1000);
    }
  }
}

interface Migration {
  readonly name: string;
  readonly checksum: string;
  readonly statements: readonly string[];
}

/** Reads `NNN-name.cql` files in the order of their numbers. */
export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{3}-[\w-]+\.cql$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return {
        name,
        checksum: createHash('sha256').update(text).digest('hex'),
        statements: splitStatements(text),
      };
    });
}

/** Splits plain CQL at its semicolons; comments are left out, quoted text is kept whole. */
export function splitStatements(cql: string): string[] {
  const parts = cql.match(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\/[^\n]*|\/\*[^]*?\*\/|;|[^]/g) ?? [];
  const statements = [''];
  for (const part of parts) {
    if (part === ';') statements.push('');
    else if (!/^(--|\/\/|\/\*)/.test(part)) statements.push(`${statements.pop() ?? ''}${part}`);
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '');
}

async function pending(database: Database, files: readonly Migration[]): Promise<Migration[]> {
  const rows = await database.run('SELECT file, checksum FROM migrations');
  const applied = new Map(rows.map((row) => [String(row['file']), String(row['checksum'])]));
  for (const { name, checksum } of files) {
    const before = applied.get(name);
    if (before !== undefined && before !== checksum) {
      throw new MigrationError(
        `cql/${name} was changed after it had been applied. Put it back and add a new file.`,
      );
    }
  }
  return files.filter(({ name }) => !applied.has(name));
}
