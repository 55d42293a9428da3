import type { Handler } from './kit/work/handler';
import { writeFeatures } from './write-features';
import type { WriteContext } from './write/write-context';

/** The handler of each kind of work that mutations leave in the outbox. */
export function taskHandlers(writeContext: WriteContext): Readonly<Record<string, Handler>> {
  const tasks = writeFeatures.flatMap((feature) => Object.entries(feature.tasks));
  return Object.fromEntries(tasks.map(([kind, handlerOf]) => [kind, handlerOf(writeContext)]));
}
