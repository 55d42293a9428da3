import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './client';
import { compare } from './compare';
import { tell, type Difference } from './differences';
import { probeWhatIsGone } from './epilogue';
import { breakThings, type BreakableRing, type Faults } from './faults';
import { learnPast, PAST_PEOPLE, pastOf } from './past';
import { randomFor } from './random';
import type { Stage } from './stage';
import { live } from './traffic';
import { World } from './world';

/** How long after the last fault everything must be exact, and between two looks, in milliseconds. */
const SETTLED_WITHIN = 60_000;
const PAUSE = 2_000;

/** What a round is told. */
export interface RoundOptions {
  /** Counts the rounds of a stage: each has people of its own. */
  readonly round: number;
  readonly seed: number;
  /** Above how many followers an author's tweets are pulled; null: the server's own default. */
  readonly pushLimit: number | null;
  /** How many people act. */
  readonly people: number;
  /** For how many seconds servers are killed. */
  readonly seconds: number;
  /** Null where no node is to be killed. */
  readonly ring: BreakableRing | null;
  /** Hears every second how far the round is. */
  readonly onProgress?: (line: string) => void;
}

/** What a round came to. */
export interface Round {
  readonly operations: number;
  /** Operations that were sent more than once before they were answered. */
  readonly retried: number;
  readonly faults: Readonly<Faults>;
  /** Seconds from the last fault to the last comparison. */
  readonly settledAfter: number;
  readonly differences: readonly Difference[];
  /** Compares once more, through the servers that run then: what has settled stays as it is. */
  readonly compareAgain: () => Promise<readonly Difference[]>;
}

interface Clients {
  readonly service: Client;
  /** Those of the people who act, by name. */
  readonly callers: ReadonlyMap<string, Client>;
}

/**
 * Lets people act on two servers while these and a node are killed, then compares everything with the model when all is
 * back. Rejects as soon as an answer is wrong; the error names the file that tells what was done.
 */
export async function runRound(stage: Stage, options: RoundOptions): Promise<Round> {
  const { round, seed, people } = options;
  const file = `round-${round}-seed-${seed}.log`;
  const world = new World(people + PAST_PEOPLE, stage.open(file));
  try {
    return await play(stage, options, world);
  } catch (error) {
    stage.failed.abort(error);
    const message = error instanceof Error ? error.message : String(error);
    world.note(message);
    throw new Error(`Seed ${seed}: ${message}\nWhat was done: ${stage.folder}/${file}`, { cause: error });
  }
}

async function play(stage: Stage, options: RoundOptions, world: World): Promise<Round> {
  const settings = options.pushLimit === null ? {} : { FANOUT_PUSH_LIMIT: String(options.pushLimit) };
  const clients = await createClients(stage, options);
  await prepare(stage, options, settings, world, clients);
  const faults = await act(stage, options, settings, world, clients);

  const lastFault = Date.now();
  let comparisons = 0;
  const compareAgain = async () => {
    const random = randomFor(options.seed, 'compare', ++comparisons);
    const differences = await compare(world, clients.service, clients.callers, random);
    for (const difference of differences) world.note('difference:', tell(difference));
    return differences;
  };
  for (;;) {
    const settledAfter = (Date.now() - lastFault) / 1000;
    const differences = await compareAgain();
    options.onProgress?.(
      `${differences.length} differences ${Math.round(settledAfter)} s after the last fault`,
    );
    if (differences.length === 0) await probeWhatIsGone(world, clients.callers);
    else if (settledAfter * 1000 < SETTLED_WITHIN) {
      await sleep(PAUSE);
      continue;
    }
    const { operations, retried } = world;
    return { operations, retried, faults, settledAfter, differences, compareAgain };
  }
}

async function createClients(
  { servers, failed, token }: Stage,
  { round, seed, people }: RoundOptions,
): Promise<Clients> {
  const create = async (name: string, scope?: 'service') =>
    new Client(servers, await token(name, scope), randomFor(seed, 'client', name), failed.signal);
  const callers = new Map<string, Client>();
  for (let n = 0; n < people; n++) callers.set(`user${round}_${n}`, await create(`user${round}_${n}`));
  return { service: await create('service', 'service'), callers };
}

/** Imports what was before, and starts the servers anew with the settings of the round. */
async function prepare(
  { servers, environment, store }: Stage,
  { round }: RoundOptions,
  settings: NodeJS.ProcessEnv,
  world: World,
  { service }: Clients,
): Promise<void> {
  const records = pastOf(round);
  await Promise.all(servers.map((server) => server.kill()));
  await store(records, settings);
  await Promise.all(servers.map((server) => server.start({ ...environment, ...settings })));
  await learnPast(world, service, records);
}

/** Lets people act until nothing is broken any more. When it resolves, all acts have been answered. */
async function act(
  { servers, environment, failed }: Stage,
  { seed, seconds, ring, onProgress }: RoundOptions,
  settings: NodeJS.ProcessEnv,
  world: World,
  { callers }: Clients,
): Promise<Faults> {
  const faults: Faults = { servers: 0, nodes: 0 };
  const progress = setInterval(() => {
    const { operations, retried } = world;
    const broken = `${faults.servers} kills of servers, ${faults.nodes} of nodes`;
    onProgress?.(`${operations} operations, ${retried} retried, ${broken}`);
  }, 1_000);
  const stop = new AbortController();
  const note = (line: string) => {
    world.note(line);
  };
  const work = [
    ...[...callers].map(([name, client]) => live(world, client, name, seed, stop.signal)),
    breakThings(
      {
        servers,
        ring,
        seed,
        seconds,
        note,
        environment: { ...environment, ...settings },
        signal: failed.signal,
      },
      faults,
    ).finally(() => {
      stop.abort();
    }),
  ];
  // The first that goes wrong ends the others.
  const ends = work.map((one) =>
    one.catch((error: unknown) => {
      failed.abort(error);
    }),
  );
  await Promise.all(ends);
  clearInterval(progress);
  failed.signal.throwIfAborted();
  return faults;
}
