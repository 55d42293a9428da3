import type { Handler } from './kit/work/handler';
import { writeFeatures } from './write-features';
import type { WriteContext } from './write/write-context';

/** Creates the handler of each kind of task that mutations enqueue, by kind. */
export function taskHandlers(writeContext: WriteContext): Readonly<Record<string, Handler>> {
  const tasks = writeFeatures.flatMap((feature) => Object.entries(feature.tasks));
  return Object.fromEntries(tasks.map(([kind, handlerOf]) => [kind, handlerOf(writeContext)]));
}
