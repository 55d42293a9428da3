import { realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../kit/base/make-folder';
import { controlNode } from './control';
import { NodeStartError } from './errors';
import { folderWord, mainClass } from './jvm';
import { startNode } from './node';
import { freePorts } from './ports';
import { seesAllNodes } from './probe';
import { findRunning, killProcess, sendSignal, type Running } from './process';
import { resolveCassandra } from './resolve';
import { datacenter, type NodeSettings } from './settings';

/** The options of `startRing`. */
interface RingOptions {
  /** The folder of the ring's data. It is emptied first, because a ring begins without data. */
  readonly dir: string;
  /** How many nodes, on 127.0.0.1, 127.0.0.2, … Default: 3. */
  readonly nodes?: number;
  /** Over how many data centres they are distributed in turn: `1` on 127.1.0.…, `2` on 127.2.0.… Default: 1. */
  readonly datacenters?: number;
  /** The size of each node's heap, as Java writes it. Default: 512M. */
  readonly heap?: string;
  /** Whether nodes keep for one that is away what it misses. Default: yes. */
  readonly hints?: boolean;
  readonly log: (line: string) => void;
}

/** Several nodes on this machine that form one cluster, for tests of what happens when some of them fail. */
export interface Ring {
  readonly contactPoints: readonly string[];
  readonly localDatacenter: string;
  /** The datacenterNames of all data centres. */
  readonly datacenters: readonly string[];
  /** Kills one node without a warning, as if its machine had broken; only the schema is on disk then. Nodes are counted from 0. */
  kill(index: number): Promise<void>;
  /** Starts a killed node again, with the data that it had. When it resolves and all nodes run, they see each other alive. */
  restart(index: number): Promise<void>;
  /** Compacts tables on one node, which drops deletions that are older than `gc_grace_seconds`. */
  compact(index: number, keyspace: string, tables: readonly string[]): Promise<void>;
  /** Makes the replicas of tables equal, as `nodetool repair -full` does. */
  repair(index: number, keyspace: string, tables: readonly string[]): Promise<void>;
  /** Kills all nodes. No ring begins with the data of another, so they need not write their memory to disk. */
  stop(): Promise<void>;
}

/**
 * Starts a ring, one node after another, because two nodes that join at once may choose the same tokens. The nodes are children
 * that end with this process; the nodes of a process that was killed are ended first.
 *
 * @throws ResolveError, NodeStartError
 */
export async function startRing({
  dir,
  nodes = 3,
  datacenters = 1,
  heap = '512M',
  hints = true,
  log,
}: RingOptions): Promise<Ring> {
  const cassandra = await resolveCassandra(log);
  await makeFolder(dir);
  const root = await realpath(dir);
  const datacenterNames =
    datacenters === 1 ? [datacenter] : Array.from({ length: datacenters }, (_, index) => String(index + 1));
  const addresses = Array.from({ length: nodes }, (_, index) =>
    datacenters === 1 ? `127.0.0.${index + 1}` : `127.${(index % datacenters) + 1}.0.${index + 1}`,
  );
  const running = new Map<number, Running>();

  for (const address of addresses) {
    for (const leftover of await findRunning(mainClass, folderWord(join(root, address))))
      await killProcess(leftover);
    await rm(join(root, address), { recursive: true, force: true });
  }
  const ports = await freePorts(addresses);

  process.once('exit', killAll);
  try {
    for (const index of addresses.keys()) await start(index, addresses.slice(0, 1));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    contactPoints: addresses.map((address) => `${address}:${ports.native}`),
    localDatacenter: datacenterNames[0] ?? datacenter,
    datacenters: datacenterNames,
    async kill(index) {
      // A start reads the schema before it replays the commit log.
      await control(index, 'flush', 'system_schema', []);
      await end(index, killProcess);
    },
    restart: (index) => start(index, addresses),
    compact: (index, ...rest) => control(index, 'compact', ...rest),
    repair: (index, ...rest) => control(index, 'repair', ...rest),
    stop,
  };

  async function start(index: number, seeds: readonly string[]): Promise<void> {
    const address = addresses[index];
    if (address === undefined || running.has(index))
      throw new Error(`Node ${index} must be one that does not run`);
    const settings: NodeSettings = {
      dir: join(root, address),
      address,
      ports,
      heap,
      seeds,
      // This is also how long a node waits for the first answer of the others, which takes seconds if two cores are busy.
      ringDelay: nodes === 1 ? 0 : 6_000,
      ...(datacenters > 1 && { snitch: 'RackInferringSnitch' }),
      asksForPassword: false,
      hints,
      detached: false,
    };
    log(`Starting node ${address} of the ring`);
    running.set(
      index,
      await startNode(cassandra, settings, [
        `-Dcassandra.system_distributed_default_rf=${nodes}`,
        // To write the schema to disk after each of its changes takes most of the time in which three nodes create tables.
        '-Dcassandra.test.flush_local_schema_changes=false',
      ]),
    );
    if (running.size === nodes) await waitForAllNodes();
  }

  /** A node answers before the others know of it, and a client that connected now might never learn of it either. */
  async function waitForAllNodes(): Promise<void> {
    const until = Date.now() + 60_000;
    for (const address of addresses) {
      while (!(await seesAllNodes(address, ports.native))) {
        if (Date.now() > until)
          throw new NodeStartError(`${address} must see all ${nodes} nodes, but does not`);
        await sleep(250);
      }
    }
  }

  async function control(
    index: number,
    act: string,
    keyspace: string,
    tables: readonly string[],
  ): Promise<void> {
    await controlNode(find(index), [act, keyspace, ...tables]);
  }

  async function end(index: number, how: (node: Running) => Promise<void>): Promise<void> {
    const node = find(index);
    running.delete(index);
    await how(node);
  }

  function find(index: number): Running {
    const node = running.get(index);
    if (node === undefined) throw new Error(`Node ${index} must run`);
    return node;
  }

  async function stop(): Promise<void> {
    await Promise.all([...running.keys()].map((index) => end(index, killProcess)));
    process.off('exit', killAll);
  }

  function killAll(): void {
    for (const { pid } of running.values()) sendSignal(pid, 'SIGKILL');
  }
}
