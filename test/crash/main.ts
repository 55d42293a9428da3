import { createCommand } from '../../src/commands/command';
import { startCluster } from './cluster';
import { describeDifference } from './differences';
import { runRound, type Round } from './round';
import { startNatsServer } from '../nats/nats-server';
import { wholeNumber } from '../support/whole-number';
import { compiledServer, createStage } from './stage';

/** The push limits of the rounds, in turn; null means the server's default. */
const PUSH_LIMITS = [3, null, 0, 6];

interface Options {
  readonly rounds: number;
  readonly seed: number;
  readonly seconds: number;
  readonly people: number;
  readonly nodes: number;
  readonly datacenters: number;
  readonly pushLimit?: number;
  readonly servers: number;
  readonly nats?: true;
  readonly from?: string;
}

function readOptions(): Options {
  const command = createCommand('npm run test:crash --')
    .description('Kills servers and nodes under load, and compares everything with a model in memory.')
    .option('--rounds <n>', 'how many rounds, each with the next seed', wholeNumber, 1)
    .option('--seed <n>', 'the seed of the first round', wholeNumber, 1)
    .option('--seconds <n>', 'for how long servers are killed in a round', wholeNumber, 30)
    .option('--people <n>', 'how many users send mutations', wholeNumber, 10)
    .option('--nodes <n>', 'how many nodes the ring has, three or more; one is killed', wholeNumber, 3)
    .option(
      '--datacenters <n>',
      'over how many data centres the nodes and the servers are distributed, such as --nodes 4 --datacenters 2',
      wholeNumber,
      1,
    )
    .option(
      '--push-limit <n>',
      'FANOUT_PUSH_LIMIT of all rounds; by default it differs from round to round',
      wholeNumber,
    )
    .option('--servers <n>', 'how many servers there are', wholeNumber, 2)
    .option('--nats', 'share work through NATS, which is killed, too; needs nats-server or a Docker engine')
    .option(
      '--from <folder>',
      'a built checkout of an earlier version: each server starts as that and as this one in turn, and ends in order instead of being killed',
    )
    .parse();
  const options = command.opts<Options>();
  const { nodes, datacenters } = options;
  if (nodes < 3 || nodes % datacenters !== 0)
    command.error('There must be three nodes or more, and as many in each data centre.');
  return options;
}

/** Runs rounds of the crash test. If one fails, no more are run and the exit status is 1. */
async function main(): Promise<void> {
  const options = readOptions();
  const cluster = await startCluster(options.nodes, options.datacenters);
  const nats = options.nats ? await startNatsServer() : null;
  const environment = { ...cluster.environment, ...(nats && { NATS_URL: nats.url }) };
  const programs = [...(options.from === undefined ? [] : [compiledServer(options.from)]), compiledServer()];
  const stage = await createStage({ ...cluster, environment }, options.servers, undefined, programs);
  try {
    await cluster.createKeyspace(stage.environment['CASSANDRA_KEYSPACE'] ?? '');
    const rounds: Round[] = [];
    for (let round = 0; round < options.rounds; round++) {
      const seed = options.seed + round;
      const pushLimit = options.pushLimit ?? PUSH_LIMITS[round % PUSH_LIMITS.length] ?? null;
      const played = await runRound(stage, {
        ...options,
        round,
        seed,
        pushLimit,
        ring: cluster.ring,
        nats,
        onProgress: (line) => process.stderr.write(`\r\u001b[Kseed ${seed}: ${line}`),
      });
      rounds.push(played);
      report(seed, pushLimit, played);
      if (played.differences.length > 0) throw new Error(`The logs are in ${stage.folder}`);
    }
    // What was right once must stay right.
    for (const [round, { compareAgain }] of rounds.entries()) {
      const differences = await compareAgain();
      say(`seed ${options.seed + round} at the end: ${differences.length} differences`);
      for (const difference of differences) say(`  ${describeDifference(difference)}`);
      if (differences.length > 0) process.exitCode = 1;
    }
  } finally {
    await stage.stop();
    await nats?.stop();
    await cluster.stop();
  }
}

function report(seed: number, pushLimit: number | null, round: Round): void {
  const { operations, retried, faults, given, subscribed, settledAfter, differences } = round;
  say(
    `seed ${seed}, push limit ${pushLimit ?? 'by default'}: ${operations} operations (${retried} retried), ` +
      `${faults.servers} kills of servers, ${faults.nodes} of nodes, ${faults.nats} of NATS, ` +
      `${given} tweets given by ${subscribed} subscriptions, ` +
      `${differences.length} differences ${Math.round(settledAfter)} s after the last fault`,
  );
  for (const difference of differences.slice(0, 50)) say(`  ${describeDifference(difference)}`);
}

function say(line: string): void {
  process.stderr.write('\r\u001b[K');
  process.stdout.write(`${line}\n`);
}

// An exit ends the child processes, too; the default action of a signal would leave them running.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
main().then(
  () => process.exit(),
  (error: unknown) => {
    say(error instanceof Error ? error.message : String(error));
    process.exit(1);
  },
);
