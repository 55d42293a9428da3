import { setTimeout as sleep } from 'node:timers/promises';
import { types, type Client, type Host } from 'cassandra-driver';
import { takeMoment, type Moment } from '../base/elapsed';
import { unavailable, wrongClock } from '../base/errors';

/** How far this machine's clock may be from Cassandra's, in milliseconds. */
const MAX_DIFFERENCE_MS = 5000;

/** The clock of a node: how far it is ahead of `performance.now()`, and by how much that may be wrong, in milliseconds. */
export interface NodeClock {
  readonly offsetMs: number;
  readonly uncertainMs: number;
}

/** Whether a machine may write, and what is known of the clocks. */
interface ClockVerdict {
  readonly isRight: boolean;
  /** By how much this machine's clock is ahead of the middle one of the nodes; below 0 if it is behind. */
  readonly aheadMs: number;
  /** The nodes whose clocks differ too much from this machine's. */
  readonly wrongNodes: readonly string[];
}

/**
 * Compares this machine's clock, which is `offsetMs` ahead of `performance.now()`, with those of the nodes. It is right if it differs
 * little from more than half of them: when there are enough nodes, a single one with a wrong clock stops no server.
 */
export function verdictOn(nodes: ReadonlyMap<string, NodeClock>, offsetMs: number): ClockVerdict {
  const wrongNodes: string[] = [];
  const ahead: number[] = [];
  for (const [name, node] of nodes) {
    const aheadMs = offsetMs - node.offsetMs;
    ahead.push(aheadMs);
    if (Math.abs(aheadMs) - node.uncertainMs > MAX_DIFFERENCE_MS) wrongNodes.push(name);
  }
  const sorted = ahead.sort((one, other) => one - other);
  return {
    isRight: 2 * wrongNodes.length < nodes.size,
    aheadMs: sorted[sorted.length >> 1] ?? 0,
    wrongNodes,
  };
}

/**
 * How long a verdict holds while this machine's clock moves on as it should, and the difference that may be due to rounding, in
 * milliseconds.
 */
const VERDICT_MS = 500;
const SAME_CLOCK_MS = 10;

/**
 * Creates the function that returns the verdict for a moment. It repeats the last verdict unless that is old, or one of this machine's two
 * clocks has moved on without the other, because the wall clock was set or the machine was suspended. If a host pauses a virtual machine
 * with both clocks, nothing in the machine shows it, but the next look at Cassandra's clock does, within two seconds.
 */
export function keepVerdict(judge: (offsetMs: number) => ClockVerdict): (moment: Moment) => ClockVerdict {
  let last: { readonly offsetMs: number; readonly at: number; readonly verdict: ClockVerdict } | undefined;
  return ({ monotonic: at, wall }) => {
    const offsetMs = wall - at;
    if (!last || at - last.at > VERDICT_MS || Math.abs(offsetMs - last.offsetMs) > SAME_CLOCK_MS)
      last = { offsetMs, at, verdict: judge(offsetMs) };
    return last.verdict;
  };
}

/** Says by how much this machine's clock is wrong. */
export function describeDifference(aheadMs: number): string {
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  return `The clock of this machine is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} Cassandra's, but must be within ${MAX_DIFFERENCE_MS / 1000} s of it, so nothing is written.`;
}

/** How often the nodes are asked for their time. */
const CHECK_EVERY_MS = 2000;
/** How long the start waits for all nodes; after that, one that has answered is enough. */
const WAIT_FOR_ALL_MS = 2000;
/** An answer that took longer says little, and is used only if there is no better one of the last minute. */
const MAX_ROUND_TRIP_MS = 1000;
const MAX_AGE_MS = 60_000;

/**
 * This machine's clock, compared with Cassandra's. Timestamps decide between writes, so those of a wrong clock would be lost, or
 * hide what others write later.
 */
export interface Clock {
  /** Why nothing may be written; null if this machine's clock is right. */
  problem(this: void): string | null;
  /** By how many milliseconds this machine's clock is ahead of Cassandra's; below 0 if it is behind. */
  aheadMs(this: void): number;
  /** Throws `UNAVAILABLE` if this machine's clock is wrong. */
  requireRight(this: void): void;
}

/** The time that a node reported, on the clock of `performance.now()`, which nobody sets. */
interface Sample extends NodeClock {
  readonly takenAt: number;
}

/**
 * Starts to compare this machine's clock with those of all nodes that the driver is connected to, now and every two seconds. A change
 * of this machine's clock is noticed at once. `warn` is told when it becomes wrong or right, and of single nodes that are wrong.
 *
 * @throws `UNAVAILABLE` when no node answers
 */
export async function startClock(
  client: Client,
  warn: (line: string) => void,
): Promise<Clock & { readonly stop: () => void }> {
  const samples = new Map<string, Sample>();
  const asking = new Set<string>();
  const ask = async (host: Host) => {
    const { address } = host;
    asking.add(address);
    try {
      const sample = await askForTime(client, host);
      const last = samples.get(address);
      const isRecent = last !== undefined && sample.takenAt - last.takenAt < MAX_AGE_MS;
      if (!isRecent || 2 * sample.uncertainMs <= MAX_ROUND_TRIP_MS) samples.set(address, sample);
    } catch (error) {
      // A node that is down has no say, unless there is no other.
      if (samples.size > 1) samples.delete(address);
      throw error;
    } finally {
      asking.delete(address);
    }
  };
  const askAll = () => {
    const hosts = client.getState().getConnectedHosts();
    const connected = new Set(hosts.map(({ address }) => address));
    for (const address of samples.keys())
      if (!connected.has(address) && samples.size > 1) samples.delete(address);
    return hosts.filter(({ address }) => !asking.has(address)).map(ask);
  };
  const judge = keepVerdict((offsetMs) => verdictOn(samples, offsetMs));
  const verdict = () => judge(takeMoment());

  const first = askAll();
  const one = Promise.any(first);
  one.catch(() => undefined);
  await Promise.race([Promise.allSettled(first), sleep(WAIT_FOR_ALL_MS, undefined, { ref: false })]);
  await one.catch((cause: unknown) => {
    throw unavailable(cause);
  });

  const report = createReport(warn);
  report(verdict());
  const timer = setInterval(() => {
    for (const asked of askAll()) asked.catch(() => undefined);
    report(verdict());
  }, CHECK_EVERY_MS).unref();
  const problem = () => {
    const { isRight, aheadMs } = verdict();
    return isRight ? null : describeDifference(aheadMs);
  };
  return {
    problem,
    aheadMs: () => verdict().aheadMs,
    requireRight() {
      const why = problem();
      if (why !== null) throw wrongClock(why);
    },
    stop() {
      clearInterval(timer);
    },
  };
}

async function askForTime(client: Client, host: Host): Promise<Sample> {
  const from = performance.now();
  const options = { host, prepare: false, consistency: types.consistencies.localOne };
  // Unlike now(), this goes back with the clock of the node.
  const [row] = (await client.execute('SELECT currentTimestamp() AS now FROM system.local', [], options))
    .rows;
  const until = performance.now();
  const now: unknown = row?.['now'];
  if (!(now instanceof Date)) throw new Error(`${host.address} must say its time, but does not`);
  // It was read somewhere between the two, and has whole milliseconds.
  return {
    offsetMs: Number(now) + 0.5 - (from + until) / 2,
    uncertainMs: (until - from) / 2 + 0.5,
    takenAt: until,
  };
}

/** Creates a function that tells of changes only. */
function createReport(warn: (line: string) => void): (verdict: ClockVerdict) => void {
  let wasRight = true;
  let told = '';
  return ({ isRight, aheadMs, wrongNodes }) => {
    if (!isRight && wasRight) warn(describeDifference(aheadMs));
    if (isRight && !wasRight) warn('The clock of this machine is right again.');
    wasRight = isRight;
    const wrong = isRight ? wrongNodes.toSorted().join(', ') : '';
    if (wrong !== '' && wrong !== told)
      warn(`The clocks of these nodes of Cassandra are wrong, most others agree with this machine: ${wrong}`);
    told = wrong;
  };
}
