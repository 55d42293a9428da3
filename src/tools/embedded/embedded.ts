import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, realpath, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../kit/base/make-folder';
import { NodeStartError } from './errors';
import { folderWord, findPorts } from './jvm';
import { withLock } from './lock';
import { endNode, startNode } from './node';
import { becomeFree, freePorts, type Ports } from './ports';
import { credentialsOf, readPassword, setPassword } from './password';
import { answersCql, type Credentials } from './probe';
import { isAlive, type Running, ownProcessId, readProcessId } from './process';
import { findNodes, readRecord, startWord, writeRecord, type NodeRecord } from './record';
import { resolveCassandra } from './resolve';
import { datacenter } from './settings';

/** A Cassandra that this process may use until it releases it. */
export interface Engine {
  /** `host:port` of the nodes that a client connects to first. */
  readonly contactPoints: readonly string[];
  readonly localDatacenter: string;
  /** The credentials of clients; absent if the node asks for none. */
  readonly credentials?: Credentials;
  /** A description for people. */
  readonly description: string;
  /** Releases it; the last process to do so ends it. May be called more than once. */
  release(): Promise<void>;
}

/** The options of `startEmbedded`. */
export interface EmbeddedOptions {
  /** The folder of all data, which survives restarts; created if it does not exist. Its folder `cassandra` belongs to the node. */
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** The size of the heap, as Java writes it: `1G`. A node that already runs keeps its own. */
  readonly heap?: string;
  /** Whether clients need the password in the node's folder, which only its owner can read. Default: yes. */
  readonly asksForPassword?: boolean;
  /** Further `-D` properties of the JVM. A node that already runs keeps its own. */
  readonly properties?: readonly string[];
  /** Whether the last process that releases it ends it at once and removes its data. Default: no. */
  readonly isTemporary?: boolean;
  /** Whether a node that a killed server has left behind stays when this process releases it, for the next server. Default: no. */
  readonly leavesFound?: boolean;
}

const address = '127.0.0.1';
/** Milliseconds between two checks whether the node still runs. */
const CHECK_EVERY_MS = 5000;

/**
 * Opens the Cassandra of a folder: the one that other servers use, the one that a killed server left behind, or a new one. It is
 * a process of its own, which survives this one and ends when the last server that uses it releases it. If it dies, it is
 * started again.
 *
 * @throws ResolveError, NodeStartError
 */
export async function startEmbedded({
  dataDir,
  log,
  heap = '1G',
  asksForPassword = true,
  properties = [],
  isTemporary = false,
  leavesFound = false,
}: EmbeddedOptions): Promise<Engine> {
  const dir = await makeNodeFolder(dataDir);
  const servers = join(dir, 'servers');

  const { note, jvm, ...first } = await locked(async () => {
    const own = { heap, properties, password: asksForPassword ? await readPassword(dir) : null };
    const found = await takeOver(dir, own, log);
    if (found && (!leavesFound || (await countUsers(servers)) === 0)) await recordLeft(dir, leavesFound);
    const opened = found ?? (await startFresh(dir, own, log));
    return { ...opened, jvm: own, note: await register(servers) };
  });
  const { ports, running } = first;
  let node: Node = first;
  let released: Promise<void> | undefined;
  let gone: Running | undefined;
  const check = async () => {
    if ((await isAlive(node.running)) || released !== undefined) return;
    if (gone !== node.running) log(`Cassandra (process ${node.running.pid}) is gone and is started again`);
    gone = node.running;
    // Servers know only the ports that it had.
    node = await locked(
      async () => (await takeOver(dir, jvm, log)) ?? (await startAgainOn(node.ports, dir, jvm, log)),
    );
    if (node.ports.native !== ports.native)
      log(
        `Cassandra listens on port ${node.ports.native} now, and no more on ${ports.native}: restart this server`,
      );
  };
  let checking = Promise.resolve();
  const watch = setInterval(() => {
    checking = checking.then(check).catch((error: unknown) => {
      log(`Cassandra could not be started again: ${String(error)}`);
    });
  }, CHECK_EVERY_MS).unref();
  return {
    contactPoints: [`${address}:${ports.native}`],
    localDatacenter: datacenter,
    ...(jvm.password !== null && { credentials: credentialsOf(jvm.password) }),
    description: `Cassandra on ${address}:${ports.native}, process ${running.pid}, data in ${dir}`,
    release: () => (released ??= end()),
  };

  async function end(): Promise<void> {
    clearInterval(watch);
    await checking;
    await locked(leave);
  }

  async function leave(): Promise<void> {
    await rm(note, { force: true });
    if ((await countUsers(servers)) > 0 || (leavesFound && (await readRecord(dir))?.isLeft)) return;
    await endNodes(dir, isTemporary ? 0 : undefined);
    if (isTemporary) await emptyFolder(dir);
  }

  /** Runs work that starts or ends the node of this folder. Only one process does so at a time. */
  function locked<T>(work: () => Promise<T>): Promise<T> {
    return withLock(
      join(dir, 'lock'),
      (pid) => {
        log(`Waiting for process ${pid}, which starts or ends Cassandra`);
      },
      work,
    );
  }
}

/** Records whether a node was left behind by a killed server, and is only used by commands. */
async function recordLeft(dir: string, isLeft: boolean): Promise<void> {
  const record = await readRecord(dir);
  if (record !== undefined) await writeRecord(dir, { ...record, isLeft });
}

/** Makes the folder of the node in a folder of data, unless it is there, and returns its path. */
async function makeNodeFolder(dataDir: string): Promise<string> {
  const dir = join(dataDir, 'cassandra');
  try {
    await makeFolder(dir);
    await access(dir, constants.W_OK | constants.X_OK);
    return await realpath(dir);
  } catch (error) {
    throw new NodeStartError(
      `DATA_DIR must be a folder that can be written to, or be free for a new one, but: ${String(error)}`,
    );
  }
}

/** The settings of a node's JVM, and the password of its clients. */
interface Jvm {
  readonly heap: string;
  /** The password of clients; null if they need none. */
  readonly password: string | null;
  readonly properties: readonly string[];
}

interface Node {
  readonly running: Running;
  readonly ports: Ports;
}

/** Finds the JVM that already works on this folder. Ends it if it cannot be used. */
async function takeOver(
  dir: string,
  { password }: Jvm,
  log: (line: string) => void,
): Promise<Node | undefined> {
  const record = await readRecord(dir);
  for (const running of await findNodes(dir, record)) {
    const ports = findPorts(running);
    // A node without a record, or of another one, works on files that were removed or moved since.
    const isRecorded = record !== undefined && running.command.includes(startWord(record.id));
    const usable = isRecorded && record.state !== 'ending' && running.command.includes(folderWord(dir));
    if (ports !== undefined && usable && (await answersInTime(running, ports, record))) {
      log(`Using the Cassandra that already runs (process ${running.pid})`);
      // The server that started it may have been killed before it did this.
      if (password !== null) await setPassword(address, ports.native, password);
      await writeRecord(dir, { ...record, pid: running.pid, ports, state: 'ready' });
      return { running, ports };
    }
    log(`Ending the Cassandra that was left behind and cannot be used (process ${running.pid})`);
    const patience = record?.state === 'ready' ? 5_000 : undefined;
    await endNode(running, isRecorded ? patience : 0);
  }
  return undefined;
}

/** Waits up to 15 s for a JVM that has answered before, and up to 120 s for one whose server was killed while it started. */
async function answersInTime(running: Running, { native }: Ports, record?: NodeRecord): Promise<boolean> {
  const until = performance.now() + (record?.state === 'ready' ? 15_000 : 120_000);
  while (performance.now() < until && (await isAlive(running))) {
    if (await answersCql(address, native)) return true;
    await sleep(100);
  }
  return false;
}

async function startFresh(dir: string, jvm: Jvm, log: (line: string) => void): Promise<Node> {
  // It may be a download of minutes, in which a port that was free could be taken.
  await resolveCassandra(log);
  for (let attempt = 1; ; attempt++) {
    const ports = await freePorts([address], attempt === 1 ? (await readRecord(dir))?.ports : undefined);
    try {
      return await startOn(ports, dir, jvm, log);
    } catch (error) {
      const taken =
        error instanceof NodeStartError && /address already in use|is in use by another/i.test(error.message);
      if (!taken || attempt === 3) throw error;
      log('Another program has just taken the port; trying another');
    }
  }
}

/** Starts a node again on the ports on which servers look for it. */
async function startAgainOn(ports: Ports, dir: string, jvm: Jvm, log: (line: string) => void): Promise<Node> {
  if (!(await becomeFree([address], ports)))
    throw new Error(
      `its ports ${ports.native} and ${ports.storage} must be free, but another program uses one of them`,
    );
  return startOn(ports, dir, jvm, log);
}

async function startOn(ports: Ports, dir: string, jvm: Jvm, log: (line: string) => void): Promise<Node> {
  const cassandra = await resolveCassandra(log);
  const record = { id: randomUUID(), dir, address, ports };
  const settings = {
    ...{ dir, address, ports, heap: jvm.heap, asksForPassword: jvm.password !== null },
    ...{ seeds: [address], ringDelay: 0, detached: true },
  };
  log(`Starting Cassandra ${cassandra.version}`);
  await writeRecord(dir, { ...record, state: 'starting' });
  const running = await startNode(cassandra, settings, [...jvm.properties, startWord(record.id)]);
  if (jvm.password !== null) await setPassword(address, ports.native, jvm.password);
  await writeRecord(dir, { ...record, pid: running.pid, state: 'ready' });
  return { running, ports };
}

async function endNodes(dir: string, patience?: number): Promise<void> {
  const record = await readRecord(dir);
  // If this process is killed now, the next one must not take over a node that is about to end.
  if (record !== undefined) await writeRecord(dir, { ...record, state: 'ending' });
  for (const running of await findNodes(dir, record)) await endNode(running, patience);
}

/** Removes all of a folder but its lock, which this process holds. */
async function emptyFolder(dir: string): Promise<void> {
  const names = (await readdir(dir)).filter((name) => name !== 'lock');
  await Promise.all(names.map((name) => rm(join(dir, name), { recursive: true, force: true })));
}

/** Leaves a note in a folder that this process uses what belongs to the folder. Returns the path of the note, which is unique. */
async function register(folder: string): Promise<string> {
  await makeFolder(folder);
  const path = join(folder, `${process.pid}-${randomUUID()}.json`);
  await writeFile(path, JSON.stringify(await ownProcessId()));
  return path;
}

/** Returns how many living processes have notes in a folder. Notes of killed ones are removed. */
async function countUsers(folder: string): Promise<number> {
  let living = 0;
  // Somebody may have removed the folder.
  await makeFolder(folder);
  for (const name of await readdir(folder)) {
    const other = join(folder, name);
    const id = await readProcessId(other);
    if (id !== undefined && (await isAlive(id))) living++;
    else await rm(other, { force: true });
  }
  return living;
}
