import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './client';
import { compare } from './compare';
import { describeDifference, type Difference } from './differences';
import { probeWhatIsGone } from './epilogue';
import { breakThings, type BreakableNats, type BreakableRing, type Faults } from './faults';
import { learnPast, PAST_PEOPLE, pastOf } from './past';
import { randomFor } from './random';
import type { Stage } from './stage';
import { startSubscriber, type Subscriber } from './subscriber';
import { live } from './traffic';
import { World } from './world';

/** How long after the last fault everything must be exact. */
const MAX_SETTLING_MS = 60_000;
/** How long a server may take to be ready that makes all tables on all nodes. */
const MAX_CREATING_MS = 240_000;
/** The pause between two comparisons. */
const COMPARISON_PAUSE_MS = 2_000;

/** The options of a round. */
interface RoundOptions {
  /** The number of the round on its stage; each round has its own people. */
  readonly round: number;
  readonly seed: number;
  /** Tweets of authors with more followers are pulled; null means the server's default. */
  readonly pushLimit: number | null;
  /** How many actors there are. */
  readonly people: number;
  /** For how many seconds servers are killed. */
  readonly seconds: number;
  /** Null if no node is to be killed. */
  readonly ring: BreakableRing | null;
  /** Null if the servers share their work without NATS. */
  readonly nats: BreakableNats | null;
  /** Called every second with the progress of the round. */
  readonly onProgress?: (line: string) => void;
}

/** The result of a round. */
export interface Round {
  readonly operations: number;
  /** Operations that were sent more than once before they were answered. */
  readonly retried: number;
  readonly faults: Readonly<Faults>;
  /** How many tweets subscribers were given, and how often they subscribed. */
  readonly given: number;
  readonly subscribed: number;
  /** Seconds from the last fault to the last comparison. */
  readonly settledAfter: number;
  readonly differences: readonly Difference[];
  /** Compares once more, through the servers that run then: what was right must stay right. */
  readonly compareAgain: () => Promise<readonly Difference[]>;
}

interface Clients {
  readonly service: Client;
  /** The clients of the actors, by username. */
  readonly callers: ReadonlyMap<string, Client>;
}

/**
 * Runs actors and subscribers on servers while these and a node are killed, and compares everything with the model when all run again.
 * Rejects as soon as an answer is wrong; the error names the log file of the round.
 */
export async function runRound(stage: Stage, options: RoundOptions): Promise<Round> {
  const { round, seed, people } = options;
  const file = `round-${round}-seed-${seed}.log`;
  // In every other round, accounts are deleted for good.
  const mayCancel = round % 2 === 1;
  const world = new World(people + PAST_PEOPLE, mayCancel, stage.open(file));
  try {
    return await play(stage, options, world);
  } catch (error) {
    stage.failed.abort(error);
    const message = error instanceof Error ? error.message : String(error);
    world.note(message);
    throw new Error(`Seed ${seed}: ${message}\nThe log is ${stage.folder}/${file}`, { cause: error });
  }
}

async function play(stage: Stage, options: RoundOptions, world: World): Promise<Round> {
  const settings = {
    ...(options.pushLimit !== null && { FANOUT_PUSH_LIMIT: String(options.pushLimit) }),
    ACCOUNT_DELETION_DAYS: world.mayCancel ? '14' : '0',
  };
  const clients = await createClients(stage, options);
  await prepare(stage, options, settings, world, clients);
  const stop = new AbortController();
  const subscribers = await subscribe(stage, options, world, clients, stop.signal);
  const faults = await act(stage, options, settings, world, clients);

  const lastFault = Date.now();
  let comparisons = 0;
  const compareAgain = async () => {
    const random = randomFor(options.seed, 'compare', ++comparisons);
    const { service, callers } = clients;
    const differences = await compare(world, service, callers, subscribers, random, stage.findUsers);
    for (const difference of differences) world.note('difference:', describeDifference(difference));
    return differences;
  };
  for (;;) {
    const settledAfter = (Date.now() - lastFault) / 1000;
    const differences = await compareAgain();
    options.onProgress?.(
      `${differences.length} differences ${Math.round(settledAfter)} s after the last fault`,
    );
    if (differences.length === 0) await probeWhatIsGone(world, clients.callers);
    else if (settledAfter * 1000 < MAX_SETTLING_MS) {
      await sleep(COMPARISON_PAUSE_MS);
      continue;
    }
    stop.abort();
    await Promise.all(subscribers.map(({ ended }) => ended));
    const { operations, retried } = world;
    const given = subscribers.reduce((sum, subscriber) => sum + subscriber.given.size, 0);
    const subscribed = subscribers.reduce((sum, { times }) => sum + times(), 0);
    return { operations, retried, faults, given, subscribed, settledAfter, differences, compareAgain };
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

/** Lets each actor subscribe to its home timeline, until `stop` is aborted. */
async function subscribe(
  { servers, failed, token }: Stage,
  { seed }: RoundOptions,
  world: World,
  { callers }: Clients,
  stop: AbortSignal,
): Promise<Subscriber[]> {
  const subscribers: Subscriber[] = [];
  for (const [username] of callers) {
    const random = randomFor(seed, 'subscriber', username);
    const own = await token(username);
    const client = new Client(servers, own, random, failed.signal);
    const stopOrFailure = AbortSignal.any([stop, failed.signal]);
    const options = { world, username, token: own, client, servers, random, stop: stopOrFailure };
    const subscriber = startSubscriber(options);
    subscriber.ended.catch((error: unknown) => {
      failed.abort(error);
    });
    subscribers.push(subscriber);
  }
  return subscribers;
}

/** Imports the past, and restarts the servers with the settings of the round. In an upgrade, the earlier version has made the tables. */
async function prepare(
  { servers, isUpgrade, environment, store }: Stage,
  { round }: RoundOptions,
  settings: NodeJS.ProcessEnv,
  world: World,
  { service }: Clients,
): Promise<void> {
  const records = pastOf(round);
  if (isUpgrade && round === 0) await servers[0]?.start(environment, MAX_CREATING_MS);
  await Promise.all(servers.map((server) => server.kill()));
  await store(records, settings);
  await Promise.all(servers.map((server) => server.start({ ...environment, ...settings })));
  await learnPast(world, service, records);
}

/** Runs the actors until the faults are over. When it resolves, all mutations have been answered. */
async function act(
  { servers, isUpgrade, environment, failed }: Stage,
  { seed, seconds, ring, nats, onProgress }: RoundOptions,
  settings: NodeJS.ProcessEnv,
  world: World,
  { callers }: Clients,
): Promise<Faults> {
  const faults: Faults = { servers: 0, nodes: 0, nats: 0 };
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
        isUpgrade,
        ring,
        nats,
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
  // The first failure ends the others.
  const ends = work.map((task) =>
    task.catch((error: unknown) => {
      failed.abort(error);
    }),
  );
  await Promise.all(ends);
  clearInterval(progress);
  failed.signal.throwIfAborted();
  return faults;
}
