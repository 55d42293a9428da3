import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { readConfig } from '../../src/config';
import { connectDatabase, type Database } from '../../src/kit/cassandra/database';
import { migrate } from '../../src/kit/cassandra/migrate';
import { openKeyspace } from '../../src/kit/server/open';
import { keyspaceOf } from '../support/keyspaces';

/** Seconds; a statement that is held up takes longer. A machine that is busy must renew a lock in this time. */
const LOCK = 6;
const LONGER = LOCK * 1500;

let folder: string;
let keyspaces = 0;
/** The name of another keyspace. The run drops them all at its end, if its Cassandra outlives it. */
const nameKeyspace = () => keyspaceOf('migrate', ++keyspaces);
const databases: Database[] = [];
const packages: string[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  writeFileSync(join(folder, '001-slow.cql'), 'CREATE TABLE IF NOT EXISTS slow (id text PRIMARY KEY);');
  writeFileSync(join(folder, '002-next.cql'), 'CREATE TABLE IF NOT EXISTS next (id text PRIMARY KEY);');
});
afterAll(async () => {
  for (const opened of databases) await opened.close();
  for (const made of [folder, ...packages]) rmSync(made, { recursive: true });
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
  return keyspace;
}

/** A database that lets the change that creates the table `slow` wait before it is sent. */
function holdUp(database: Database, until: () => Promise<unknown>): Database {
  return {
    ...database,
    async changeSchema(cql) {
      if (/TABLE IF NOT EXISTS slow/.test(cql)) await until();
      return database.changeSchema(cql);
    },
  };
}

/** A package of a version with migrations; resolves to their folder. */
function packageWith(version: string, files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'package-'));
  packages.push(root);
  const cql = join(root, 'cql');
  mkdirSync(cql);
  writeFileSync(join(root, 'package.json'), JSON.stringify({ version }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cql, name), text);
  return cql;
}

/** The statement that creates a table. */
function creating(table: string, comment = 'What?'): string {
  return `CREATE TABLE IF NOT EXISTS ${table} (id text PRIMARY KEY) WITH comment = '${comment}';`;
}

/** Applies the migrations of a folder; resolves to what is logged. */
async function apply(keyspace: string, from: string): Promise<string[]> {
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  await migrate(await connect(keyspace), { keyspace, folder: from, log });
  return lines;
}

/** All that is stored of the tables of a keyspace, and what `migrations` has. */
async function stateOf(keyspace: string): Promise<unknown> {
  const database = await connect(keyspace);
  const columns = await database.run('SELECT * FROM system_schema.columns WHERE keyspace_name = ?', [
    keyspace,
  ]);
  return { columns, rows: await database.run('SELECT * FROM migrations') };
}

async function tablesOf(database: Database, keyspace: string): Promise<string[]> {
  const rows = await database.run('SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?', [
    keyspace,
  ]);
  return rows.map((row) => String(row['table_name'])).sort();
}

test('servers that start at once on a new keyspace apply each file once', async () => {
  for (let round = 0; round < 2; round++) {
    const keyspace = nameKeyspace();
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
  const losing = holdUp(database, async () => {
    await database.run("UPDATE migrations USING TTL 30 SET holder = 'another' WHERE file = 'lock' IF EXISTS");
    await sleep(LOCK * 1000);
  });
  await expect(
    migrate(losing, { keyspace, folder, log: (line) => log.push(line), lockSeconds: LOCK }),
  ).rejects.toThrow('The migration lock was lost; start the server again.');
  expect(log).toEqual([]);
  expect(await tablesOf(database, keyspace)).toEqual(['migrations', 'slow']);
  // The other's lock stands.
  const [lock] = await database.run("SELECT holder FROM migrations WHERE file = 'lock'");
  expect(lock?.['holder']).toBe('another');
});

test('a server that is killed within a file leaves the rest to the next, once its lock has expired', async () => {
  const keyspace = await makeKeyspace();
  const from = packageWith('1.0.0', {
    '001-all.cql': ['one', 'two', 'three'].map((name) => creating(name)).join('\n'),
  });
  const database = await connect(keyspace);
  let changes = 0;
  const killed = new Promise<never>(() => undefined);
  const dying: Database = {
    ...database,
    run: (cql, params) => (changes > 3 ? killed : database.run(cql, params)),
    changeSchema: (cql) => (++changes > 3 ? killed : database.changeSchema(cql)),
  };
  void migrate(dying, { keyspace, folder: from, log: () => undefined, lockSeconds: LOCK });
  while (changes <= 3) await sleep(20);
  // The table `migrations` was the first change.
  expect(await tablesOf(database, keyspace)).toEqual(['migrations', 'one', 'two']);
  expect(await apply(keyspace, from)).toEqual(['applied 001-all.cql']);
  expect(await tablesOf(database, keyspace)).toEqual(['migrations', 'one', 'three', 'two']);
});

test('the id of a table follows from its keyspace, file and name, but is another in a new keyspace of the same name', async () => {
  const from = packageWith('1.0.0', { '001-first.cql': creating('first', 'In (quotes) WITH more') });
  const keyspace = await makeKeyspace();
  const database = await connect(keyspace);
  const id = async () => {
    await apply(keyspace, from);
    const [row] = await database.run(
      'SELECT id FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?',
      [keyspace, 'first'],
    );
    return String(row?.['id']);
  };
  const first = await id();
  // As if a node had died before it told others of the table.
  await database.changeSchema(`DROP TABLE ${keyspace}.first`);
  await database.run("DELETE FROM migrations WHERE file = '001-first.cql'");
  expect(await id()).toBe(first);
  await database.changeSchema(`DROP TABLE ${keyspace}.first`);
  await database.run('TRUNCATE migrations');
  expect(await id()).not.toBe(first);
});

test('an upgrade tells what else an operator must do, a new keyspace does not', async () => {
  const files = { '001-first.cql': creating('first') };
  const earlier = packageWith('1.0.0', files);
  const later = packageWith('1.1.0', {
    ...files,
    '002-more.cql': `-- After an upgrade: run \`it\`.\n${creating('more')}`,
  });
  const upgraded = await makeKeyspace();
  await apply(upgraded, earlier);
  expect(await apply(upgraded, later)).toEqual(['applied 002-more.cql', '002-more.cql: run `it`.']);
  expect(await apply(await makeKeyspace(), later)).toEqual(['applied 001-first.cql', 'applied 002-more.cql']);
});

test('a comment that was changed stops nothing, a statement does', async () => {
  const keyspace = await makeKeyspace();
  await apply(
    keyspace,
    packageWith('1.0.0', { '001-first.cql': `-- Why.\n${creating('first', 'What is it?')}` }),
  );
  const reworded = packageWith('1.0.1', {
    '001-first.cql': `-- Why and how.\n\n${creating('first', 'What it is.')}`,
  });
  expect(await apply(keyspace, reworded)).toEqual([]);
  const before = await stateOf(keyspace);
  await expect(apply(keyspace, packageWith('1.1.0', { '001-first.cql': creating('other') }))).rejects.toThrow(
    `The statements of 001-first.cql were changed after version 1.0.0 had applied them to the keyspace ${keyspace}. Restore them, and put the change into a new file.`,
  );
  expect(await stateOf(keyspace)).toEqual(before);
});

test.each([
  ['a table', creating('second')],
  ['a column', 'ALTER TABLE first ADD IF NOT EXISTS note text;'],
  ['an option', 'ALTER TABLE first WITH gc_grace_seconds = 14400;'],
])(
  'a server of an earlier version starts on a keyspace to which a newer one has added %s',
  async (_, added) => {
    const files = { '001-first.cql': creating('first') };
    const keyspace = await makeKeyspace();
    const [older, newer] = [
      packageWith('1.0.0', files),
      packageWith('1.1.0', { ...files, '002-more.cql': added }),
    ];
    await apply(keyspace, older);
    for (const one of [newer, older, newer]) await apply(keyspace, one);
    expect(await apply(keyspace, older)).toEqual([]);
  },
);

test('a keyspace that was made before versions recorded what only adds, records it from now on', async () => {
  const keyspace = await makeKeyspace();
  const files = { '001-first.cql': creating('first') };
  await apply(keyspace, packageWith('1.0.0', files));
  await (await connect(keyspace)).changeSchema('ALTER TABLE migrations DROP expands');
  await apply(keyspace, packageWith('1.1.0', { ...files, '002-second.cql': creating('second') }));
  expect(await apply(keyspace, packageWith('1.0.0', files))).toEqual([]);
});

test('a server refuses a keyspace from which a newer one has taken something, and says which version it needs', async () => {
  const files = { '001-first.cql': creating('first') };
  const more = { ...files, '002-second.cql': 'DROP TABLE IF EXISTS zeroth;' };
  const keyspace = await makeKeyspace();
  await apply(keyspace, packageWith('1.9.0', more));
  await apply(keyspace, packageWith('1.10.0', { ...more, '003-third.cql': 'DROP TABLE IF EXISTS fourth;' }));
  const before = await stateOf(keyspace);
  const message = `The keyspace ${keyspace} has tables of version 1.10.0 (002-second.cql, 003-third.cql), which this version, 1.8.2, does not know. Start version 1.10.0 or a later one.`;
  const older = packageWith('1.8.2', files);
  await expect(apply(keyspace, older)).rejects.toThrow(message);
  const logger = pino({ level: 'silent' });
  for (const asItIs of [false, true])
    await expect(openKeyspace(configOf(keyspace), older, logger, { asItIs })).rejects.toThrow(message);
  expect(await stateOf(keyspace)).toEqual(before);
});

test('a keyspace from before the baseline is refused and left as it is', async () => {
  const keyspace = await makeKeyspace();
  const database = await connect(keyspace);
  // As the first servers made it.
  await database.changeSchema('CREATE TABLE migrations (file text PRIMARY KEY, checksum text, holder text)');
  await database.changeSchema('CREATE TABLE users (user_id bigint PRIMARY KEY, username text)');
  await database.run("INSERT INTO migrations (file, checksum) VALUES ('001-users.cql', 'aa')");
  const before = await stateOf(keyspace);
  const logger = pino({ level: 'silent' });
  for (const asItIs of [false, true])
    await expect(openKeyspace(configOf(keyspace), folder, logger, { asItIs })).rejects.toThrow(
      `The keyspace ${keyspace} has tables of a version before 0.3.0. Version 0.3.0 made a new beginning, to which no migration leads. Nothing was changed.`,
    );
  expect(await stateOf(keyspace)).toEqual(before);
});
