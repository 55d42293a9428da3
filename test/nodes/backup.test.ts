import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { demoNetwork } from '../../src/demo/network';
import { jobs } from '../../src/jobs/all';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { describeWithJava } from './with-java';
import { startHarness, type Harness } from '../support/harness';
import { act, ask, post } from '../support/mutations';
import { runCommand } from '../support/run-command';

/** A node starts and ends several times. */
const MAX_MS = 480_000;
const KEYSPACE = 'backed_up';
const context = (server: Harness) => ({ database: server.database, retentionMonths: null });

describeWithJava('A backup', () => {
  const root = mkdtempSync(join(tmpdir(), 'murmuration-backup-'));
  const dataDir = join(root, 'data');
  const folder = join(root, 'backup');
  const settings = {
    CASSANDRA_CONTACT_POINTS: undefined,
    CASSANDRA_LOCAL_DATACENTER: undefined,
    CASSANDRA_KEYSPACE: KEYSPACE,
    DATA_DIR: dataDir,
  };
  /** What had been answered when the backup began: tweets by id, and who liked which of them. */
  const answered: { tweetId: string; author: string; liker: string | null }[] = [];
  let server: Harness;

  afterAll(async () => {
    await server.close();
    rmSync(root, { recursive: true, force: true });
  }, MAX_MS);

  test(
    'taken while people post and like has all that was answered before it began',
    async () => {
      server = await startHarness(settings);
      const network = [...demoNetwork({ people: 20, tweets: 150 })];
      expect((await server.store(network)).size).toBe(0);
      const people = network.flatMap((record) => (record.kind === 'user' ? [record.userId ?? ''] : []));
      let isOver = false;
      let acts = 0;
      const load = [0, 1, 2].map(async (offset) => {
        for (let n = offset; !isOver; n += 3, acts++) {
          const [author = '', liker = ''] = [people[n % 20], people[(n + 7) % 20]];
          const { tweetId, id } = await post(server, author, { content: `Number ${n} #backup` });
          const one = { tweetId, author, liker: null as string | null };
          if (answered.length < 30) answered.push(one);
          await act(server, liker, 'likeTweet', { id });
          if (answered.includes(one)) one.liker = liker;
        }
      });
      while (answered.filter(({ liker }) => liker !== null).length < 30) await sleep(50);
      const before = acts;
      // Two at once leave each other's snapshots alone.
      const both = await Promise.all([run('backup', folder), run('backup', join(root, 'second'))]);
      expect(both).toMatchObject([{ status: 0 }, { status: 0 }]);
      expect(acts).toBeGreaterThan(before);
      isOver = true;
      await Promise.all(load);
      // A table of a version that is not this one.
      await server.database.changeSchema('CREATE TABLE watches (id int PRIMARY KEY)');
      expect(await run('backup', join(root, 'without'))).toMatchObject({
        status: 2,
        said: expect.stringContaining('does not know watches') as string,
      });
      await server.database.changeSchema('DROP TABLE watches');
      expect(await run('backup', folder)).toMatchObject({
        status: 2,
        said: expect.stringContaining('must be empty') as string,
      });
    },
    MAX_MS,
  );

  test(
    'is all that is needed when the folder of data is lost; after a rebuild, nothing differs',
    async () => {
      await server.close();
      rmSync(dataDir, { recursive: true });
      expect(await run('restore', folder)).toMatchObject({ status: 0 });
      server = await startHarness(settings, server);
      await server.writeServices.outbox.idle();
      for (const job of jobs) await job.rebuild(context(server), () => undefined);
      for (const job of jobs)
        expect([job.name, await job.verify(context(server), 5000)]).toMatchObject([
          job.name,
          { missing: 0, surplus: 0, different: 0, examples: [] },
        ]);
      expect(await missing()).toEqual([]);
    },
    MAX_MS,
  );

  test(
    'restores nothing where a server runs or rows are, unless it is asked, and one table alone',
    async () => {
      expect(await run('restore', folder)).toMatchObject({
        status: 2,
        said: expect.stringContaining('No server must run') as string,
      });
      const table = ['--table', 'tallies'];
      expect(await run('restore', folder, ...table)).toMatchObject({
        status: 2,
        said: expect.stringContaining('have rows: tallies') as string,
      });
      await server.database.run('TRUNCATE tallies');
      expect((await missing()).length).toBeGreaterThan(0);
      expect(await run('restore', folder, ...table)).toMatchObject({ status: 0 });
      expect(await missing()).toEqual([]);
      expect(await run('restore', folder, ...table, '--merge')).toMatchObject({ status: 0 });
      expect(await missing()).toEqual([]);
    },
    MAX_MS,
  );

  test(
    'is restored into another keyspace, too, beside the first one',
    async () => {
      const others = { CASSANDRA_KEYSPACE: 'restored' };
      expect(await runWith(others, 'restore', folder)).toMatchObject({ status: 0 });
      const other = await startHarness({ ...settings, ...others }, server);
      expect(await missing(other)).toEqual([]);
      // What is written here is not there.
      const { id } = await post(other, answered[0]?.author ?? '', { content: 'only here' });
      expect(await ask(server, `{ node(id: "${id}") { id } }`)).toEqual({ node: null });
      await other.close();
    },
    MAX_MS,
  );

  test(
    'of other tables, or one that did not end, is refused before anything is started',
    async () => {
      const file = join(folder, 'backup.json');
      const backup = JSON.parse(readFileSync(file, 'utf8')) as { migrations: Record<string, string> };
      const elsewhere = { DATA_DIR: join(root, 'elsewhere') };
      const [name = ''] = Object.keys(backup.migrations);
      for (const migrations of [
        { ...backup.migrations, '999-later.cql': 'x' },
        { ...backup.migrations, [name]: 'changed' },
      ]) {
        writeFileSync(file, JSON.stringify({ ...backup, migrations }));
        expect(await runWith(elsewhere, 'restore', folder)).toMatchObject({
          status: 2,
          said: expect.stringContaining('Restore it by version') as string,
        });
      }
      writeFileSync(file, JSON.stringify({ ...backup, takenAt: '2020-01-01T00:00:00.000Z' }));
      expect(await runWith(elsewhere, 'restore', folder, '--merge')).toMatchObject({
        said: expect.stringContaining('--merge must be of a backup of the last ten days') as string,
      });
      rmSync(file);
      expect(await runWith(elsewhere, 'restore', folder)).toMatchObject({
        status: 2,
        said: expect.stringContaining('must be a whole backup') as string,
      });
      expect(existsSync(elsewhere.DATA_DIR)).toBe(false);
    },
    MAX_MS,
  );

  /** What was answered before the backup and is not there. */
  async function missing(from = server): Promise<unknown[]> {
    const lost: unknown[] = [];
    for (const { tweetId, liker } of answered) {
      const query = 'query ($id: ID!) { node(id: $id) { ... on Tweet { tweetId viewerHasLiked } } }';
      const { data } = await from.query(query, { id: encodeNodeId('Tweet', tweetId) }, liker ?? '');
      const found = (data as { node: { viewerHasLiked: boolean } | null }).node;
      if (found?.viewerHasLiked !== true) lost.push({ tweetId, found });
    }
    return lost;
  }

  function run(name: string, ...args: readonly string[]) {
    return runWith({}, name, ...args);
  }

  function runWith(others: NodeJS.ProcessEnv, name: string, ...args: readonly string[]) {
    return runCommand({ DATA_DIR: dataDir, CASSANDRA_KEYSPACE: KEYSPACE, ...others }, name, ...args);
  }
});
