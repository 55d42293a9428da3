import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino, { type Logger } from 'pino';
import { readConfig } from '../../src/config';
import { consistencyWarnings, type Consistency } from '../../src/kit/cassandra/consistency';
import { connectDatabase } from '../../src/kit/cassandra/database';
import { ClientError } from '../../src/kit/base/errors';
import { openKeyspace } from '../../src/kit/server/open';
import { nameKeyspace } from '../../src/tools/testing/testing';

const silent = pino({ level: 'silent' });
const one = { here: 3 };
const two = { here: 3, there: 3 };

test.each<[Consistency, Consistency, Readonly<Record<string, number>>, boolean]>([
  ['LOCAL_ONE', 'LOCAL_ONE', { here: 1 }, true],
  ['LOCAL_ONE', 'LOCAL_ONE', one, false],
  ['LOCAL_ONE', 'LOCAL_QUORUM', one, false],
  ['LOCAL_QUORUM', 'LOCAL_QUORUM', one, true],
  ['LOCAL_ONE', 'ALL', one, true],
  ['LOCAL_ONE', 'LOCAL_QUORUM', { here: 2 }, true],
  ['QUORUM', 'QUORUM', two, true],
  ['LOCAL_QUORUM', 'LOCAL_QUORUM', two, true],
  ['LOCAL_QUORUM', 'EACH_QUORUM', two, true],
  ['LOCAL_QUORUM', 'QUORUM', two, false],
  ['ONE', 'EACH_QUORUM', two, false],
])('reads at %s meet writes at %s, or a warning says that they do not: %j', (read, write, replicas, meet) => {
  const warnings = consistencyWarnings({
    replicas,
    localDatacenter: 'here',
    readConsistency: read,
    writeConsistency: write,
    serialConsistency: 'SERIAL',
  });
  expect(warnings).toEqual(meet ? [] : [expect.stringContaining('do not overlap')]);
});

test('several data centres and transactions within one of them make a warning', () => {
  const guarantees = {
    localDatacenter: 'here',
    readConsistency: 'QUORUM',
    writeConsistency: 'QUORUM',
  } as const;
  const warned = (replicas: Readonly<Record<string, number>>) =>
    consistencyWarnings({ ...guarantees, replicas, serialConsistency: 'LOCAL_SERIAL' });
  expect(warned(two)).toEqual([expect.stringContaining('LOCAL_SERIAL')]);
  expect(warned(one)).toEqual([]);
});

describe('of a keyspace with more replicas than nodes', () => {
  const keyspace = nameKeyspace();
  const config = readConfig({ ...process.env, CASSANDRA_KEYSPACE: keyspace });
  const { contactPoints, localDatacenter } = config.cassandra;
  const cql = mkdtempSync(join(tmpdir(), 'murmuration-cql-'));
  const open = (logger: Logger) => openKeyspace(config, cql, logger);
  beforeAll(async () => {
    writeFileSync(join(cql, '001-notes.cql'), 'CREATE TABLE notes (id bigint PRIMARY KEY);\n');
    const opened = await open(silent);
    await opened.database.run(
      `ALTER KEYSPACE ${keyspace} WITH replication = {'class': 'NetworkTopologyStrategy', '${localDatacenter}': 3}`,
    );
    await opened.close();
  });
  afterAll(async () => {
    const opened = await open(silent);
    await opened.database.run(`DROP KEYSPACE ${keyspace}`).catch(() => undefined);
    await opened.close();
    rmSync(cql, { recursive: true });
  });

  test('a start says that reads and writes do not overlap', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const opened = await open(logger);
    await opened.close();
    expect(lines).toEqual([expect.stringContaining('do not overlap')]);
  });

  // Cassandra names the quorum for which it had too few replicas.
  test.each([
    ['LOCAL_SERIAL', 'LOCAL_QUORUM'],
    ['SERIAL', 'QUORUM'],
  ] as const)('transactions are decided at %s, by a %s', async (serialConsistency, quorum) => {
    const database = await connectDatabase({
      contactPoints: contactPoints ?? [],
      localDatacenter,
      keyspace,
      readConsistency: 'LOCAL_ONE',
      writeConsistency: 'LOCAL_ONE',
      serialConsistency,
    });
    const query = 'INSERT INTO notes (id) VALUES (1) IF NOT EXISTS';
    const acts = [
      () => database.compareAndWrite([{ query, params: [] }]),
      () => database.readSerial('SELECT id FROM notes WHERE id = 1', []),
      () => database.run(query),
    ];
    try {
      for (const act of acts) expect(await messagesOf(act)).toContain(`consistency ${quorum} (`);
    } finally {
      await database.close();
    }
  });
});

/** What the driver says of an act that fails, with what each node said. */
async function messagesOf(act: () => Promise<unknown>): Promise<string> {
  const error: unknown = await act().catch((cause: unknown) => cause);
  if (!(error instanceof ClientError)) throw new Error('It must fail with UNAVAILABLE.', { cause: error });
  const inner = Object(Reflect.get(Object(error.originalError), 'innerErrors')) as object;
  return [error.originalError, ...(Object.values(inner) as unknown[])].map(String).join(' ');
}
