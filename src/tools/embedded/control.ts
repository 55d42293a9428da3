import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fromSources } from '../../kit/base/from-sources';
import type { ProcessId } from './process';
import { javaEnvironment } from './java';
import { resolveCassandra } from './resolve';

/** Java prints what went wrong first, and then from where it was called. */
const MAX_ERROR_CHARACTERS = 2000;

/** Asks a node to do what `nodetool` does: an act of `NodeControl.java`, and its arguments. */
export async function controlNode(
  { pid }: Pick<ProcessId, 'pid'>,
  [act = '', ...rest]: readonly string[],
): Promise<void> {
  const { java, lib } = await resolveCassandra(() => undefined);
  const program = fromSources(__dirname, 'NodeControl.java');
  // Some answers are of classes of Cassandra's jars.
  const options = ['-Xmx64M', '-cp', join(lib, '*')];
  const env = javaEnvironment();
  await promisify(execFile)(java, [...options, program, String(pid), act, ...rest], { env }).catch(
    (error: unknown) => {
      const said = String(Reflect.get(Object(error), 'stderr') ?? error).slice(0, MAX_ERROR_CHARACTERS);
      throw new Error(`Cassandra must ${act}, which needs a whole JDK, but: ${said}`, { cause: error });
    },
  );
}
