import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '../errors';
import type { Database } from './database';

/** A migration that cannot be applied; the message names the file. */
export class MigrationError extends Error {}

const LOCK_SECONDS = 60;
const MOST_TRIES = 10;

/**
 * Applies the numbered files of a folder to the database's keyspace, each once, in order, however many servers start
 * at once: one of them holds a lock (a row with a time to live), the others wait. A statement is written so that
 * applying it again changes nothing, so a crash in the middle of a file is mended by applying the file again.
 */
export async function migrate(
  database: Database,
  folder: string,
  log: (line: string) => void,
): Promise<void> {
  await database.run(
    `CREATE TABLE IF NOT EXISTS migrations (file text PRIMARY KEY, checksum text, holder text)
     WITH comment = 'Which files of cql/ have been applied? The row lock is held by the server that applies them.'`,
  );
  const files = readMigrations(folder);
  if ((await patiently(() => pending(database, files))).length === 0) return;
  const holder = randomUUID();
  while (!(await patiently(() => takeLock(database, holder)))) await sleep(500);
  try {
    for (const file of await patiently(() => pending(database, files))) {
      for (const statement of file.statements) {
        await patiently(() => database.run(statement)).catch((cause: unknown) => {
          if (!(cause instanceof Error) || cause instanceof ClientError) throw cause;
          throw new MigrationError(`${file.name} could not be applied: ${cause.message}`, { cause });
        });
        await patiently(() => keepLock(database, holder));
      }
      await database.run('INSERT INTO migrations (file, checksum) VALUES (?, ?)', [file.name, file.checksum]);
      log(`applied ${file.name}`);
    }
  } finally {
    await database.run("DELETE FROM migrations WHERE file = 'lock' IF holder = ?", [holder]);
  }
}

/** What needs a definition that has not reached the node which is asked is tried again. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === MOST_TRIES || error instanceof MigrationError) throw error;
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

async function takeLock(database: Database, holder: string): Promise<boolean> {
  const [row] = await database.run(
    `INSERT INTO migrations (file, holder) VALUES ('lock', ?) IF NOT EXISTS USING TTL ${LOCK_SECONDS}`,
    [holder],
  );
  return row?.['[applied]'] === true || row?.['holder'] === holder;
}

async function keepLock(database: Database, holder: string): Promise<void> {
  const [row] = await database.run(
    `UPDATE migrations USING TTL ${LOCK_SECONDS} SET holder = ? WHERE file = 'lock' IF holder = ?`,
    [holder, holder],
  );
  if (row?.['[applied]'] !== true) throw new MigrationError('The migration lock was lost; start again.');
}
