import { setTimeout as sleep } from 'node:timers/promises';
import type { Ring } from '../../src/tools/embedded/ring';
import { between, chance, randomFor } from './random';
import type { NatsServer } from '../nats/nats-server';
import type { Server } from './server';

/** A ring whose nodes can be killed and restarted. */
export type BreakableRing = Pick<Ring, 'kill' | 'restart' | 'contactPoints'>;

/** A NATS server that can be killed and started again. */
export type BreakableNats = Pick<NatsServer, 'kill' | 'start'>;

/** What to kill, and for how long. */
interface FaultOptions {
  readonly servers: readonly Server[];
  /** Whether servers end in order, as in an upgrade, and are not killed. */
  readonly isUpgrade: boolean;
  /** The settings with which a server is restarted. */
  readonly environment: NodeJS.ProcessEnv;
  /** Null if no node is to be killed. */
  readonly ring: BreakableRing | null;
  /** Null if the servers share their work without NATS. */
  readonly nats: BreakableNats | null;
  readonly seed: number;
  /** For how many seconds servers are killed. */
  readonly seconds: number;
  readonly note: (line: string) => void;
  /** Ends the faults at once, without restarting what is down. */
  readonly signal: AbortSignal;
}

/** How many times servers, nodes and NATS were killed, or ended by an upgrade. */
export interface Faults {
  servers: number;
  nodes: number;
  nats: number;
}

/** Kills servers, a node and NATS at random moments. When it resolves, everything runs again. */
export async function breakThings(options: FaultOptions, faults: Faults): Promise<void> {
  const { servers, ring, nats, seconds } = options;
  const until = Date.now() + seconds * 1000;
  await Promise.all([
    ...servers.map((server) => breakServer(options, faults, server, until)),
    ...(ring ? [breakNode(options, faults, ring)] : []),
    ...(nats ? [breakNats(options, faults, nats, until)] : []),
  ]);
}

async function breakServer(
  { servers, isUpgrade, environment, seed, note, signal }: FaultOptions,
  faults: Faults,
  server: Server,
  until: number,
): Promise<void> {
  const random = randomFor(seed, 'server', server.name);
  for (;;) {
    await pause(between(random, 200, 4_000), signal);
    if (isOver(signal) || Date.now() > until) return;
    const isWithRequest = chance(random, 0.7);
    const isLater = between(random, 0, 60);
    // Mostly the other servers are up when one is killed, but not always. An upgrade waits for them.
    const others = chance(random, 0.8) || isUpgrade ? servers.filter((other) => other !== server) : [];
    while (others.some(({ ready }) => !ready) && !isOver(signal)) await pause(50, signal);
    if (isWithRequest) {
      await server.nextMutation(1_000);
      await pause(isLater, signal);
    }
    if (isUpgrade && others.some(({ ready }) => !ready)) continue;
    note(`${isUpgrade ? 'the end' : 'kill -9'} of server ${server.name}`);
    await (isUpgrade ? server.stop() : server.kill());
    faults.servers++;
    await pause(random() ** 2 * 3_000, signal);
    if (isOver(signal)) return;
    await server.start(environment);
    note(`server ${server.name} is back`);
  }
}

async function breakNode(
  { seed, seconds, note, signal }: FaultOptions,
  faults: Faults,
  ring: BreakableRing,
): Promise<void> {
  const random = randomFor(seed, 'node');
  const node = Math.floor(random() * ring.contactPoints.length);
  await pause(between(random, 0.1, 0.4) * seconds * 1000, signal);
  if (isOver(signal)) return;
  note(`kill -9 of node ${node}`);
  await ring.kill(node);
  faults.nodes++;
  await pause(between(random, 2_000, 7_000), signal);
  if (isOver(signal)) return;
  await ring.restart(node);
  note(`node ${node} is back`);
}

async function breakNats(
  { seed, note, signal }: FaultOptions,
  faults: Faults,
  nats: BreakableNats,
  until: number,
): Promise<void> {
  const random = randomFor(seed, 'nats');
  for (;;) {
    await pause(between(random, 1_000, 8_000), signal);
    if (isOver(signal) || Date.now() > until) return;
    note('kill -9 of NATS');
    await nats.kill();
    faults.nats++;
    await pause(random() ** 2 * 5_000, signal);
    if (isOver(signal)) return;
    const data = chance(random, 0.5) ? 'kept' : 'lost';
    await nats.start(data);
    note(`NATS is back, with its data ${data}`);
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** A function, because TypeScript would assume that `signal.aborted` keeps the value of the last check. */
function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}
