import { retry } from '../base/retry';
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '../base/errors';
import type { Database } from './database';
import { createMigrationsTable, MigrationError, takeMigrationLock } from './migration-lock';

/** How long a lock lasts if it is not renewed. */
const LOCK_SECONDS = 60;
const MAX_TRIES = 10;

/** Which migrations to apply to which keyspace. */
interface MigrateOptions {
  /** The keyspace that `database` is connected to. */
  readonly keyspace: string;
  /** The folder of the numbered CQL files. */
  readonly folder: string;
  readonly log: (line: string) => void;
  readonly lockSeconds?: number;
}

/**
 * Applies the numbered files of a folder to the database's keyspace, each once and in order, even if many servers start at
 * once: one of them holds a lock (a row with a time to live, renewed while statements run), and the others wait. Each
 * statement must change nothing when it is applied again, so after a crash in the middle of a file, the file is applied
 * again. If the keyspace had earlier files, logs what an operator must do after the upgrade. Throws `MigrationError` if a file cannot be applied or was changed since, or if the lock is lost; then another
 * server goes on with the files.
 */
export async function migrate(
  database: Database,
  { keyspace, folder, log, lockSeconds = LOCK_SECONDS }: MigrateOptions,
): Promise<void> {
  await createMigrationsTable(database, keyspace);
  const files = readMigrations(folder);
  if ((await repeat(() => pending(database, files))).length === 0) return;
  const holder = randomUUID();
  const take = () => repeat(() => takeMigrationLock(database, holder, lockSeconds));
  let lock = await take();
  for (; !lock; lock = await take()) await sleep(500);
  const { keep, release } = lock;
  // The lock is checked before each attempt: it may have been lost during the statement before or the pause before a retry.
  const runLocked = (query: string, params: readonly unknown[] = []) =>
    repeat(async () => {
      await keep();
      await database.run(query, params);
    });
  try {
    // Another server may have changed tables through another node.
    await database.agreeOnSchema();
    const toApply = await repeat(() => pending(database, files));
    const isUpgrade = toApply.length < files.length;
    for (const file of toApply) {
      for (const statement of file.statements) {
        await runLocked(statement).catch((cause: unknown) => {
          if (!(cause instanceof Error) || cause instanceof ClientError || cause instanceof MigrationError)
            throw cause;
          throw new MigrationError(`${file.name} could not be applied: ${cause.message}`, { cause });
        });
      }
      await runLocked('INSERT INTO migrations (file, checksum) VALUES (?, ?)', [file.name, file.checksum]);
      log(`applied ${file.name}`);
      if (file.advice !== null && isUpgrade) log(`${file.name}: ${file.advice}`);
    }
    await database.agreeOnSchema();
  } finally {
    await release();
  }
}

/** Retries failed work, which may need a schema change that has not reached the node that was asked. */
function repeat<T>(work: () => Promise<T>): Promise<T> {
  return retry(work, (error, attempts) =>
    attempts === MAX_TRIES || error instanceof MigrationError ? null : 1000,
  );
}

interface Migration {
  readonly name: string;
  readonly checksum: string;
  readonly statements: readonly string[];
  /** What an operator must do after an upgrade: the rest of a line that begins with `-- After an upgrade:`. */
  readonly advice: string | null;
}

/** Reads the files named `NNN-name.cql` in the order of their numbers. */
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
        advice: /^-- After an upgrade: (.+)$/m.exec(text)?.[1] ?? null,
      };
    });
}

/** Splits CQL into statements at its semicolons. Comments are left out, and quoted text is not split. */
function splitStatements(cql: string): string[] {
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
        `cql/${name} was changed after it had been applied. Restore it, and put the change into a new file.`,
      );
    }
  }
  return files.filter(({ name }) => !applied.has(name));
}
