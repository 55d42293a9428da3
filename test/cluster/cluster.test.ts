import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ring } from '../../src/tools/embedded/ring';
import { startCluster, type Cluster } from '../crash/cluster';
import { describeDifference } from '../crash/differences';
import { runRound } from '../crash/round';
import { createStage, type Stage } from '../crash/stage';
import { follow, person, startHarness, tweet, type Harness } from '../support/harness';

let cluster: Cluster;
let ring: Ring;
beforeAll(async () => {
  cluster = await startCluster();
  ring = cluster.ring;
});

afterAll(() => cluster.stop());

let stage: Stage;

describe('while servers and nodes are killed', () => {
  beforeAll(async () => {
    const prepare = join(__dirname, '../../scripts/prepare.mjs');
    execFileSync(process.execPath, [prepare], { stdio: ['ignore', 'inherit', 'inherit'] });
    stage = await createStage(cluster);
  });

  afterAll(() => stage.stop());

  // One round of few people, for time's sake: `npm run test:crash` runs more, with other limits, and compares all of them again at the end.
  test.each([{ round: 0, seed: 1, pushLimit: 3 }])(
    'every list and count is what was done, though servers and a node were killed (seed $seed, push limit $pushLimit)',
    async (options) => {
      const round = await runRound(stage, { people: 6, seconds: 15, ring: ring, nats: null, ...options });
      expect(round.differences.map(describeDifference)).toEqual([]);
      // Else little was tried.
      expect(round.operations).toBeGreaterThan(20);
      expect(round.faults.servers).toBeGreaterThan(0);
      expect(round.faults.nodes).toBe(1);
    },
    // On a slow machine that runs the suite, too, each of two comparisons takes more than a minute.
    450_000,
  );
});

const HOME =
  '{ user(username: "reader") { timeline { nodes { tweetId likeCount author { username followerCount } } } } }';

describe('with nodes down', () => {
  let server: Harness;
  let imported = 0;

  beforeAll(async () => {
    // The tables of the tests above are emptied, which takes much less time than to create others on a ring.
    const { CASSANDRA_KEYSPACE } = stage.environment;
    server = await startHarness({ ...cluster.environment, CASSANDRA_KEYSPACE });
    await server.store([person('1', 'reader'), person('2', 'author'), follow('1', '2')]);
  });

  afterAll(() => server.close());

  /** Reads and imports all the time; tells what went wrong. */
  function traffic() {
    const failures: unknown[] = [];
    const done = { reads: 0, imports: 0 };
    let going = true;
    const repeat = async (work: () => Promise<void>) => {
      while (going) {
        await work().catch((error: unknown) => {
          failures.push(error);
        });
      }
    };
    const readers = Array.from({ length: 2 }, () =>
      repeat(async () => {
        failures.push(...(await server.query(HOME)).errors);
        done.reads++;
        await sleep(100);
      }),
    );
    const importer = repeat(async () => {
      await server.store([tweet(String(1000 + imported), '2'), follow(String(100 + imported), '3')]);
      imported++;
      done.imports++;
      await sleep(100);
    });
    /** Resolves when some more reads and imports have begun and ended. */
    const more = async () => {
      const { reads, imports } = done;
      while (done.reads < reads + 50 || done.imports < imports + 5) await sleep(50);
    };
    const stop = async () => {
      going = false;
      await Promise.all([...readers, importer]);
    };
    return { failures, more, stop };
  }

  const expectAllImported = async () => {
    const { data } = await server.query(
      '{ user(username: "author") { tweetCount } other: user(username: "3") { followerCount } reader: user(username: "reader") { timeline(first: 100) { nodes { tweetId } } } }',
    );
    expect(data).toMatchObject({ user: { tweetCount: imported }, other: { followerCount: imported } });
    const ids = Array.from({ length: imported }, (_, n) => ({ tweetId: String(1000 + n) })).reverse();
    expect(data).toMatchObject({ reader: { timeline: { nodes: ids.slice(0, 100) } } });
  };

  test('reads and imports go on without one failed request while the node is down that is asked first, and another server starts', async () => {
    const { failures, more, stop } = traffic();
    await more();
    await ring.kill(0);
    await more();
    const late = await startHarness(cluster.environment, server);
    expect((await late.query(HOME)).errors).toEqual([]);
    expect(await late.get('/health/ready')).toMatchObject({ status: 200 });
    await late.close();
    await more();
    await stop();
    expect(failures).toEqual([]);
    await expectAllImported();
  });

  test('without any node the server says that it is unavailable, and serves all again when two are back, of which one has missed what was imported', async () => {
    for (const node of [2, 1]) await ring.kill(node);
    const { errors } = await server.query(HOME);
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['UNAVAILABLE']);
    expect(await server.get('/health/ready')).toMatchObject({ status: 503 });
    expect(await server.get('/health/live')).toMatchObject({ status: 200 });
    await Promise.all([0, 1].map((node) => ring.restart(node)));
    while ((await server.get('/health/ready')).status !== 200) await sleep(200);
    await expectAllImported();
  });
});
