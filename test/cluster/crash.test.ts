import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { startCluster, type Cluster } from '../crash/cluster';
import { tell } from '../crash/differences';
import { runRound, type Round } from '../crash/round';
import { createStage, type Stage } from '../crash/stage';

let cluster: Cluster;
let stage: Stage;
const rounds: Round[] = [];

beforeAll(async () => {
  const prepare = join(__dirname, '../../scripts/prepare.mjs');
  execFileSync(process.execPath, [prepare], { stdio: ['ignore', 'inherit', 'inherit'] });
  cluster = await startCluster();
  stage = await createStage(cluster);
}, 300_000);

afterAll(async () => {
  await stage.stop();
  await cluster.stop();
}, 60_000);

test.each([
  { round: 0, seed: 1, pushLimit: 3 },
  { round: 1, seed: 2, pushLimit: null },
])(
  'every list and count is what was done, though servers and a node were killed (seed $seed, push limit $pushLimit)',
  async (options) => {
    const round = await runRound(stage, { people: 10, seconds: 15, ring: cluster.ring, ...options });
    rounds.push(round);
    expect(round.differences.map(tell)).toEqual([]);
    // Else little was tried.
    expect(round.operations).toBeGreaterThan(50);
    expect(round.faults.servers).toBeGreaterThan(0);
    expect(round.faults.nodes).toBe(1);
  },
  180_000,
);

test('what was right stays right', async () => {
  for (const { compareAgain } of rounds) expect((await compareAgain()).map(tell)).toEqual([]);
}, 60_000);
