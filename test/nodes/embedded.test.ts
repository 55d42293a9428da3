import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectDatabase, type Database } from '../../src/kit/cassandra/database';
import { startEmbedded, type EmbeddedOptions, type Engine } from '../../src/tools/embedded/embedded';
import { describeWithJava } from './with-java';
import { folderWord, mainClass } from '../../src/tools/embedded/jvm';
import { startNode } from '../../src/tools/embedded/node';
import { freePorts } from '../../src/tools/embedded/ports';
import { findRunning, killProcess, type Running } from '../../src/tools/embedded/process';
import { readRecord, writeRecord } from '../../src/tools/embedded/record';
import { resolveCassandra } from '../../src/tools/embedded/resolve';

describeWithJava('The embedded Cassandra', () => {
  let dataDir: string;
  let log: string[];

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'murmuration-embedded-'));
    log = [];
  });

  afterEach(async () => {
    for (const node of await nodes()) await killProcess(node);
    await rm(dataDir, { recursive: true, force: true });
  });

  it('is shared by servers that start at the same moment, outlives one that is killed, and ends with the last, which removes what is temporary', async () => {
    const [one, other] = await Promise.all([hold(), hold()]);
    expect(one.contactPoint).toBe(other.contactPoint);
    const running = await nodes();
    expect(running).toHaveLength(1);
    await withDatabase(one.contactPoint, (database) => write(database, 'before'));

    one.server.kill('SIGTERM');
    expect(await once(one.server, 'exit')).toEqual([0, null]);
    expect(await nodes()).toEqual(running);

    other.server.kill('SIGKILL');
    await once(other.server, 'exit');
    const next = await start({ isTemporary: true });
    expect(next.contactPoints).toEqual([other.contactPoint]);
    expect(await nodes()).toEqual(running);
    await withDatabase(other.contactPoint, async (database) => {
      expect(await words(database)).toEqual(['before']);
    });
    await next.release();
    expect(await nodes()).toEqual([]);
    expect(await readdir(join(dataDir, 'cassandra'))).toEqual(['lock']);
  });

  it('is ended and replaced if a killed server left it and its folder was removed then', async () => {
    const { server } = await hold();
    const [former] = await nodes();
    server.kill('SIGKILL');
    await once(server, 'exit');
    await rm(join(dataDir, 'cassandra'), { recursive: true, force: true });
    const next = await start();
    const running = await nodes();
    expect(running).toHaveLength(1);
    expect(running[0]?.pid).not.toBe(former?.pid);
    await withDatabase(next.contactPoints[0], async (database) => {
      await write(database, 'after');
      expect(await words(database)).toEqual(['after']);
    });
    await next.release();
    expect(await nodes()).toEqual([]);
  });

  it('is left running by a command, if a killed server has left it', async () => {
    const { server } = await hold();
    const [left] = await nodes();
    server.kill('SIGKILL');
    await once(server, 'exit');
    const command = await start({ leavesFound: true });
    await command.release();
    expect(await nodes()).toEqual([left]);
    const commands = [await start({ leavesFound: true }), await start({ leavesFound: true })];
    for (const one of commands) await one.release();
    expect(await nodes()).toEqual([left]);
    const [next, beside] = [await start(), await start({ leavesFound: true })];
    expect(await nodes()).toEqual([left]);
    await next.release();
    // The last one that uses what others did ends it.
    await beside.release();
    expect(await nodes()).toEqual([]);
  });

  it('is started again where it was when it is killed, with every write that was answered', async () => {
    const engine = await start();
    const [node] = await nodes();
    const answered: string[] = [];
    await withDatabase(engine.contactPoints[0], async (database) => {
      await write(database, 'first');
      for (let index = 0; index < 300; index++) {
        const word = `word ${index}`;
        await database.write('INSERT INTO kept.words (word) VALUES (?)', [word]);
        answered.push(word);
      }
      if (node) await killProcess(node);
    });
    while (!log.some((line) => line.includes('is started again'))) await sleep(100);
    // Who asks for it waits until it is there.
    const other = await start();
    expect(other.contactPoints).toEqual(engine.contactPoints);
    expect(await nodes()).toHaveLength(1);
    await withDatabase(engine.contactPoints[0], async (database) => {
      expect(await words(database)).toEqual(expect.arrayContaining(answered));
    });
    await other.release();
    await engine.release();
    expect(await nodes()).toEqual([]);
  });

  it('is started again on its port when another program that took it meanwhile gives it back', async () => {
    const engine = await start();
    const [node] = await nodes();
    const port = Number(engine.contactPoints[0]?.split(':')[1]);
    if (node) await killProcess(node);
    const other = await listen(port);
    while (!log.some((line) => line.includes('another program uses one of them'))) await sleep(100);
    expect(await nodes()).toEqual([]);
    other.close();
    while ((await nodes()).length === 0) await sleep(100);
    const next = await start();
    expect(next.contactPoints).toEqual(engine.contactPoints);
    await next.release();
    await engine.release();
  });

  it('lets nobody in without the password in its folder, which only its owner can read; one without a password gets it at its next start', async () => {
    const open = await start({ asksForPassword: false });
    expect(open.credentials).toBeUndefined();
    const [contactPoint] = open.contactPoints;
    await connect(contactPoint, (database) => write(database, 'before'));
    // One that already runs stays as it is.
    const beside = await start();
    await withDatabase(contactPoint, async (database) => {
      expect(await words(database)).toEqual(['before']);
    });
    await open.release();
    await beside.release();

    const engine = await start();
    const folder = join(dataDir, 'cassandra');
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'password'))).mode & 0o777).toBe(0o600);
    const known = [undefined, 'cassandra', '', `${engine.credentials?.password ?? ''}x`];
    for (const password of known)
      await expect(
        connect(
          engine.contactPoints[0],
          () => Promise.resolve(),
          password === undefined ? undefined : { username: 'cassandra', password },
        ),
      ).rejects.toThrow();
    await withDatabase(engine.contactPoints[0], async (database) => {
      expect(await words(database)).toEqual(['before']);
    });
    await engine.release();
  });

  it('is not taken over while it ends: the next server waits for that and starts another', async () => {
    const first = await start();
    const [ending] = await nodes();
    const dir = join(dataDir, 'cassandra');
    const record = await readRecord(dir);
    if (record === undefined || ending === undefined) throw new Error('a record and a node must be there');
    await writeRecord(dir, { ...record, state: 'ending' });

    const second = await start();
    expect(await nodes()).toHaveLength(1);
    expect(await nodes()).not.toEqual([ending]);
    await first.release();
    expect(await nodes()).toHaveLength(1);
    await second.release();
    expect(await nodes()).toEqual([]);
  });

  it('says why the JVM does not start', async () => {
    await expect(startEmbedded({ dataDir, heap: 'much', log: (line) => log.push(line) })).rejects.toThrow(
      /Cassandra must start, but it ended with 1[^]*Invalid initial heap size: -Xmsmuch/,
    );
  });

  it('says why Cassandra does not start', async () => {
    const cassandra = await resolveCassandra((line) => log.push(line));
    const address = '127.0.0.1';
    const ports = await freePorts([address]);
    const settings = {
      ...{ dir: dataDir, address, ports, heap: '400M', asksForPassword: true },
      ...{ seeds: [], ringDelay: 0, detached: false },
    };
    await expect(startNode(cassandra, settings)).rejects.toThrow(/ConfigurationException.*seed/);
    expect(await readFile(join(dataDir, 'logs', 'system.log'), 'utf8')).toContain('ERROR');
  });

  /** Takes a port as soon as it is free. */
  async function listen(port: number): Promise<Server> {
    for (;;) {
      const server = createServer().listen({ host: '127.0.0.1', port, exclusive: true });
      const [error] = await Promise.race([once(server, 'listening'), once(server, 'error')]).catch(
        (failure: unknown) => [failure],
      );
      if (error === undefined) return server;
      await sleep(20);
    }
  }

  function start(options: Partial<EmbeddedOptions> = {}): Promise<Engine> {
    return startEmbedded({ dataDir, heap: '400M', log: (line) => log.push(line), ...options });
  }

  /** Connects with the password in the node's folder. */
  async function withDatabase(
    contactPoint: string | undefined,
    work: (database: Database) => Promise<void>,
  ): Promise<void> {
    const password = await readFile(join(dataDir, 'cassandra', 'password'), 'utf8');
    await connect(contactPoint, work, { username: 'cassandra', password });
  }

  /** Another process that uses the engine, and where it found it. */
  async function hold(): Promise<{ server: ChildProcess; contactPoint: string }> {
    const server = spawn(process.execPath, [join(__dirname, 'hold-engine.cjs'), dataDir], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    for await (const line of createInterface(server.stdout)) return { server, contactPoint: line };
    throw new Error(
      `The holding process must say where the engine is, but ended with ${server.exitCode ?? 'a signal'}`,
    );
  }

  function nodes(): Promise<Running[]> {
    return findRunning(mainClass, folderWord(join(dataDir, 'cassandra')));
  }
});

async function connect(
  contactPoint: string | undefined,
  work: (database: Database) => Promise<void>,
  credentials?: Engine['credentials'],
): Promise<void> {
  const database = await connectDatabase({
    contactPoints: [contactPoint ?? ''],
    ...(credentials && { credentials }),
    localDatacenter: 'datacenter1',
    readConsistency: 'LOCAL_ONE',
    writeConsistency: 'LOCAL_ONE',
  });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

async function write(database: Database, word: string): Promise<void> {
  await database.run(
    "CREATE KEYSPACE IF NOT EXISTS kept WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
  );
  await database.run('CREATE TABLE IF NOT EXISTS kept.words (word text PRIMARY KEY)');
  await database.write('INSERT INTO kept.words (word) VALUES (?)', [word]);
}

async function words(database: Database): Promise<unknown[]> {
  const rows = await database.run('SELECT word FROM kept.words');
  return rows.map((row): unknown => row['word']);
}
