import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { openEngine } from '../src/tools/embedded/engine';
import { folderWord, mainClass } from '../src/tools/embedded/jvm';
import { findRunning } from '../src/tools/embedded/process';
import { startRing } from '../src/tools/embedded/ring';
import { say } from './measure';

/** The Cassandra of a run. */
interface Nodes {
  /** `host:port` of each node, with commas between them. */
  readonly contactPoint: string;
  /** The folder of each node. */
  readonly folders: readonly string[];
  release(): Promise<void>;
}

/** Opens the Cassandra of a folder: one node or, of several, a new ring. */
export async function openNodes(dataDir: string, nodes: number): Promise<Nodes> {
  if (nodes === 1) {
    const engine = await openEngine({ dataDir, asksForPassword: false, log: say });
    return {
      contactPoint: engine.contactPoints.join(','),
      folders: [join(dataDir, 'cassandra')],
      release: () => engine.release(),
    };
  }
  const ring = await startRing({ dir: dataDir, nodes, heap: '1G', log: say });
  return {
    contactPoint: ring.contactPoints.join(','),
    folders: ring.contactPoints.map((point) => join(dataDir, point.replace(/:\d+$/, ''))),
    release: () => ring.stop(),
  };
}

/** Clock ticks in a second, in which Linux gives the times of a process. */
const TICKS = 100;

/** The CPU seconds that the nodes in these folders have used since they started; NaN on systems without /proc. */
export async function cpuOfNodes(folders: readonly string[]): Promise<number> {
  let seconds = 0;
  for (const folder of folders) {
    for (const { pid } of await findRunning(mainClass, folderWord(await realpath(folder)))) {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      // The program's name is in brackets and may contain anything. Fields 14 and 15 are the times of its code and of the system's.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      seconds += (Number(fields[11]) + Number(fields[12])) / TICKS;
    }
  }
  return seconds;
}
