import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { readConfig } from '../../src/config';
import { connectDatabase, type Database } from '../../src/kit/cassandra/database';
import { migrate } from '../../src/kit/cassandra/migrate';
import { openKeyspace } from '../../src/kit/server/open';
import { nameKeyspace } from '../../src/kit/testing';

/** Seconds; a statement that is held up takes longer. */
const LOCK = 2;
const LONGER = LOCK * 2500;

let folder: string;
const keyspaces: string[] = [];
const databases: Database[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  writeFileSync(join(folder, '001-slow.cql'), 'CREATE TABLE IF NOT EXISTS slow (id text PRIMARY KEY);');
  writeFileSync(join(folder, '002-next.cql'), 'CREATE TABLE IF NOT EXISTS next (id text PRIMARY KEY);');
});
afterAll(async () => {
  const database = await connect();
  for (const keyspace of keyspaces) await database.run(`DROP KEYSPACE IF EXISTS ${keyspace}`);
  for (const opened of databases) await opened.close();
  rmSync(folder, { recursive: true });
});

function configOf(keyspace?: string) {
  return readConfig({ ...process.env, ...(keyspace !== undefined && { CASSANDRA_KEYSPACE: keyspace }) });
}

async function connect(keyspace?: string): Promise<Database> {
  const { contactPoints, localDatacenter, readConsistency, writeConsistency } = configOf().cassandra;
  const database = await connectDatabase({
    contactPoints: contactPoints ?? [],
    localDatacenter,
    readConsistency,
    writeConsistency,
    ...(keyspace !== undefined && { keyspace }),
  });
  databases.push(database);
  return database;
}

async function makeKeyspace(): Promise<string> {
  const keyspace = nameKeyspace();
  const { localDatacenter, replicationFactor } = configOf().cassandra;
  await (
    await connect()
  ).run(
    `CREATE KEYSPACE ${keyspace} WITH replication = {'class': 'NetworkTopologyStrategy', '${localDatacenter}': ${replicationFactor}}`,
  );
  keyspaces.push(keyspace);
  return keyspace;
}

/** A database that lets a statement of the table `slow` wait before it is sent. */
function holdUp(database: Database, until: () => Promise<unknown>): Database {
  return {
    ...database,
    async run(cql, params) {
      if (/TABLE IF NOT EXISTS slow/.test(cql)) await until();
      return database.run(cql, params);
    },
  };
}

async function tablesOf(database: Database, keyspace: string): Promise<string[]> {
  const rows = await database.run('SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?', [
    keyspace,
  ]);
  return rows.map((row) => String(row['table_name'])).sort();
}

test('servers that start at once on a new keyspace apply each file once', async () => {
  for (let round = 0; round < 5; round++) {
    const keyspace = nameKeyspace();
    keyspaces.push(keyspace);
    const lines: string[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const opened = await Promise.all(
      Array.from({ length: 4 }, () => openKeyspace(configOf(keyspace), folder, logger)),
    );
    const applied = lines
      .map((line) => (JSON.parse(line) as { msg: string }).msg)
      .filter((msg) => /^applied/.test(msg));
    expect(applied).toEqual(['applied 001-slow.cql', 'applied 002-next.cql']);
    for (const one of opened) {
      expect(await tablesOf(one.database, keyspace)).toEqual(['migrations', 'next', 'slow']);
      await one.close();
    }
  }
});

test('the id of the table migrations follows from its name, so that nodes agree whoever makes it', async () => {
  const idIn = async (keyspace: string) => {
    const database = await connect(keyspace);
    await migrate(database, { keyspace, folder, log: () => undefined });
    const [row] = await database.run(
      "SELECT id FROM system_schema.tables WHERE keyspace_name = ? AND table_name = 'migrations'",
      [keyspace],
    );
    return String(row?.['id']);
  };
  const keyspace = await makeKeyspace();
  const id = await idIn(keyspace);
  const database = await connect();
  await database.run(`DROP TABLE ${keyspace}.migrations`);
  expect(await idIn(keyspace)).toBe(id);
  expect(await idIn(await makeKeyspace())).not.toBe(id);
});

test('a statement that takes longer than the lock is good for is applied by one server', async () => {
  const keyspace = await makeKeyspace();
  const logs: [string[], string[]] = [[], []];
  let held = 0;
  const migrateInto = async (log: string[]) => {
    const database = holdUp(await connect(keyspace), () => {
      held++;
      return sleep(LONGER);
    });
    await migrate(database, { keyspace, folder, log: (line) => log.push(line), lockSeconds: LOCK });
  };
  await Promise.all(logs.map(migrateInto));
  expect(logs.flat()).toEqual(['applied 001-slow.cql', 'applied 002-next.cql']);
  expect(logs.filter((log) => log.length > 0)).toHaveLength(1);
  expect(held).toBe(1);
});

test('a server whose lock was lost while a statement ran does not begin the next', async () => {
  const keyspace = await makeKeyspace();
  const database = await connect(keyspace);
  const log: string[] = [];
  const losing = holdUp(database, () =>
    database.run("UPDATE migrations USING TTL 30 SET holder = 'another' WHERE file = 'lock' IF EXISTS"),
  );
  await expect(
    migrate(losing, { keyspace, folder, log: (line) => log.push(line), lockSeconds: LOCK }),
  ).rejects.toThrow('The migration lock was lost; start the server again.');
  expect(log).toEqual([]);
  expect(await tablesOf(database, keyspace)).toEqual(['migrations', 'slow']);
  // The other's lock stands.
  const [lock] = await database.run("SELECT holder FROM migrations WHERE file = 'lock'");
  expect(lock?.['holder']).toBe('another');
});

test('an upgrade tells what else an operator must do, a new keyspace does not', async () => {
  const earlier = mkdtempSync(join(tmpdir(), 'migrations-'));
  const later = mkdtempSync(join(tmpdir(), 'migrations-'));
  const first = 'CREATE TABLE IF NOT EXISTS first (id text PRIMARY KEY);';
  writeFileSync(join(earlier, '001-first.cql'), first);
  writeFileSync(join(later, '001-first.cql'), first);
  writeFileSync(
    join(later, '002-more.cql'),
    '-- After an upgrade: run `it`.\nCREATE TABLE IF NOT EXISTS more (id text PRIMARY KEY);',
  );
  const applied = async (keyspace: string, migrations: string) => {
    const lines: string[] = [];
    const log = (line: string) => lines.push(line);
    await migrate(await connect(keyspace), { keyspace, folder: migrations, log });
    return lines;
  };
  const upgraded = await makeKeyspace();
  await applied(upgraded, earlier);
  expect(await applied(upgraded, later)).toEqual(['applied 002-more.cql', '002-more.cql: run `it`.']);
  expect(await applied(await makeKeyspace(), later)).toEqual([
    'applied 001-first.cql',
    'applied 002-more.cql',
  ]);
  for (const made of [earlier, later]) rmSync(made, { recursive: true });
});
